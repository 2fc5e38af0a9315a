package dev.headstone.infra;

import java.nio.file.Path;

/** Where the code of functions is. */
interface Artifacts {
    /**
     * The jar of that function.
     *
     * @throws IllegalStateException if it has not been built
     */
    Path jar(FunctionKind function);
}
