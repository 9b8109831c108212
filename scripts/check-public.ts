import type { NamedFile } from './check-names.ts'

/** Packages whose messages are for the operator, who may read the internals of the server. */
const forOperators: ReadonlySet<string> = new Set(['cli', 'node'])

/** Finds places that choose between the message of an `EngineError` and another one by hand. A sentence for each. */
export function findShownMessages(files: readonly NamedFile[]): string[] {
  return files.flatMap(({ file, text }) => {
    if (forOperators.has(/packages\/([\w-]+)\//.exec(file)?.[1] ?? '')) return []
    return [...text.matchAll(/EngineError\.is\((\w+)\)\s*\?\s*\1\.message\b/g)].map(({ index }) => {
      const line = text.slice(0, index).split('\n').length
      return `${file}:${line} shows the message of any error, which can name files and hosts: use publicMessage of ports.`
    })
  })
}
