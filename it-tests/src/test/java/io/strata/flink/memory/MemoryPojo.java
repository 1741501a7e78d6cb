/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.util.Objects;

/** A POJO with another one in it. */
public class MemoryPojo {

    private long key;
    private long count;
    private double score;
    private String text;
    private Part part;

    /** For Flink. */
    public MemoryPojo() {}

    static MemoryPojo make(long key, long count, int bytes) {
        MemoryPojo pojo = new MemoryPojo();
        pojo.key = key;
        pojo.count = count;
        pojo.score = key / 3.0;
        pojo.text = Payload.text(key, count, bytes / 2);
        pojo.part = new Part();
        pojo.part.id = key + count;
        pojo.part.name = Payload.text(count, key, bytes / 2);
        return pojo;
    }

    public long getKey() {
        return key;
    }

    public void setKey(long key) {
        this.key = key;
    }

    public long getCount() {
        return count;
    }

    public void setCount(long count) {
        this.count = count;
    }

    public double getScore() {
        return score;
    }

    public void setScore(double score) {
        this.score = score;
    }

    public String getText() {
        return text;
    }

    public void setText(String text) {
        this.text = text;
    }

    public Part getPart() {
        return part;
    }

    public void setPart(Part part) {
        this.part = part;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MemoryPojo that
                && key == that.key
                && count == that.count
                && score == that.score
                && text.equals(that.text)
                && part.id == that.part.id
                && part.name.equals(that.part.name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(key, count);
    }

    @Override
    public String toString() {
        return "key " + key + " changed " + count + " times";
    }

    /** The inner POJO. */
    public static class Part {

        private long id;
        private String name;

        /** For Flink. */
        public Part() {}

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }
    }
}
