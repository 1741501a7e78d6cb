/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import io.strata.flink.rules.SourceFiles.Source;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Finds public types without Javadoc, with the JDK's own parser. */
final class UndocumentedTypes {

    private UndocumentedTypes() {}

    /** Names of the public types, nested ones too, that have no documentation comment. */
    static List<String> in(List<Source> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach(source -> files.add(new InMemory(source)));
        List<String> options = List.of("-proc:none");
        JavacTask task = (JavacTask) compiler.getTask(null, null, null, options, null, files);
        DocTrees docs = DocTrees.instance(task);
        List<String> found = new ArrayList<>();
        for (CompilationUnitTree unit : task.parse()) {
            new Scanner(docs, unit, found).scan(unit, null);
        }
        return found;
    }

    private static final class Scanner extends TreePathScanner<Void, Void> {
        private final DocTrees docs;
        private final CompilationUnitTree unit;
        private final List<String> found;

        Scanner(DocTrees docs, CompilationUnitTree unit, List<String> found) {
            this.docs = docs;
            this.unit = unit;
            this.found = found;
        }

        @Override
        public Void visitClass(ClassTree type, Void ignored) {
            boolean isPublic = type.getModifiers().getFlags().contains(Modifier.PUBLIC);
            String doc = docs.getDocComment(getCurrentPath());
            if (isPublic && (doc == null || doc.isBlank())) {
                found.add(unit.getSourceFile().getName() + ": " + type.getSimpleName());
            }
            return super.visitClass(type, ignored);
        }
    }

    private static final class InMemory extends SimpleJavaFileObject {
        private final String text;

        InMemory(Source source) {
            super(URI.create("string:///" + source.name()), Kind.SOURCE);
            this.text = source.text();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
