import { createRequire } from 'node:module'

/**
 * Gives a library that is loaded when it is first asked for, in one step: for those that take long to load, that most programs
 * never need, and that are called where nothing can be waited for. Elsewhere `import()` does.
 */
export function lateLibrary<Library>(from: string, load: (require: NodeJS.Require) => Library): () => Library {
  let library: Library | undefined
  return () => (library ??= load(createRequire(from)))
}
