import { createRequire } from 'node:module'

/**
 * Returns a function that loads a library synchronously at its first call. For libraries that load slowly, are rarely
 * needed, and are called where nothing can be awaited. Elsewhere use `import()`. `from` is the URL of the calling
 * module. Throws at each call if the library is not installed.
 */
export function lateLibrary<Library>(from: string, load: (require: NodeJS.Require) => Library): () => Library {
  let library: Library | undefined
  return () => (library ??= load(createRequire(from)))
}
