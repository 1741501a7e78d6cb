/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;

/**
 * How large a TaskManager is, and what it has to do.
 *
 * @param memory the memory options
 * @param jobs arguments of the {@link MemoryJob}s, one after another on the same TaskManager; the
 *     size of the state is given as {@code --heaps}, in maximum heaps of the process
 */
record MemoryProfile(Configuration memory, List<String> jobs) {

    /** The system property that chooses one: {@code small}, which is the default, or soak. */
    static final String PROPERTY = "strata.memory.profile";

    /** The system property with jobs to run instead of those of the profile, with ; between. */
    static final String JOBS_PROPERTY = "strata.memory.jobs";

    static MemoryProfile chosen() {
        MemoryProfile profile =
                System.getProperty(PROPERTY, "small").equals("soak") ? soak() : small();
        String jobs = System.getProperty(JOBS_PROPERTY);
        return jobs == null
                ? profile
                : new MemoryProfile(profile.memory(), List.of(jobs.trim().split("\\s*;\\s*")));
    }

    /** A heap of 96 MiB: ten times that of one type, a part of that of all, as every build can. */
    static MemoryProfile small() {
        Configuration memory = new Configuration();
        memory.set(TaskManagerOptions.TOTAL_PROCESS_MEMORY, MemorySize.ofMebiBytes(384));
        memory.set(TaskManagerOptions.FRAMEWORK_HEAP_MEMORY, MemorySize.ofMebiBytes(32));
        memory.set(TaskManagerOptions.FRAMEWORK_OFF_HEAP_MEMORY, MemorySize.ofMebiBytes(32));
        memory.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(16));
        memory.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(16));
        memory.set(TaskManagerOptions.JVM_METASPACE, MemorySize.ofMebiBytes(96));
        memory.set(TaskManagerOptions.JVM_OVERHEAD_MIN, MemorySize.ofMebiBytes(96));
        memory.set(TaskManagerOptions.JVM_OVERHEAD_MAX, MemorySize.ofMebiBytes(96));
        memory.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(48));
        memory.set(TaskManagerOptions.NUM_TASK_SLOTS, 2);
        return new MemoryProfile(
                memory,
                List.of(
                        "--type bytes --heaps 10 --value-bytes 64000 --rounds 1",
                        "--type all --heaps 2 --value-bytes 16000 --rounds 1",
                        "--type one-map --heaps 0.2 --value-bytes 60 --rounds 1",
                        "--type one-list --heaps 0.2 --value-bytes 97 --rounds 1"));
    }

    /** Flink's default sizes, with a heap of 512 MiB, and ten times that of every type. */
    static MemoryProfile soak() {
        Configuration memory = new Configuration();
        memory.set(TaskManagerOptions.TOTAL_PROCESS_MEMORY, MemorySize.ofMebiBytes(1728));
        memory.set(TaskManagerOptions.NUM_TASK_SLOTS, 8);
        List<String> jobs = new ArrayList<>();
        for (String skewed : List.of("false", "true")) {
            for (MemoryType type : MemoryType.values()) {
                if (type != MemoryType.ONE_MAP && type != MemoryType.ONE_LIST) {
                    jobs.add(
                            "--type %s --heaps 10 --value-bytes 2000 --skewed %s"
                                    .formatted(type, skewed));
                }
            }
        }
        jobs.add("--type one-map --heaps 0.4 --value-bytes 65");
        jobs.add("--type one-list --heaps 0.4 --value-bytes 97 --rounds 1");
        jobs.add("--type states --heaps 10 --value-bytes 2000 --parallelism 8");
        return new MemoryProfile(memory, jobs);
    }

    TaskExecutorProcessSpec spec() {
        return TaskExecutorProcessUtils.processSpecFromConfig(memory);
    }

    long processBytes() {
        return spec().getTotalProcessMemorySize().getBytes();
    }

    /** Returns the options of a job of this profile. */
    MemoryOptions options(String job) {
        return MemoryOptions.parse(
                spec().getJvmHeapMemorySize().getBytes(), job.trim().split("\\s+"));
    }
}
