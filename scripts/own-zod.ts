// zod as it is published with the engine: one file with what our packages use of it. zod itself is almost a hundred files, half of
// them languages of messages, and takes longer to load than all of ours together.
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Plugin } from 'rolldown'
import { transformSync } from 'rolldown/utils'

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** The package that publishes it. One that does not need that package takes zod itself. */
export const publisher = '@harvestman/core'

/** Its source there has the types of zod alone. */
const source = join(root, 'packages/core/src/zod.ts')

const imported = /^import \{ z \} from 'zod'$/m

/** What the modules of a package import as zod. */
export function zodOf({ name, dependencies, peerDependencies }: Manifest): string {
  if (name === publisher) return source
  return publisher in { ...dependencies, ...peerDependencies } ? `${publisher}/zod` : 'zod'
}

/** Has the modules of a package import that. */
export function ownZod(manifest: Manifest): Plugin {
  const from = zodOf(manifest)
  return {
    name: 'own-zod',
    load: (id) => (id === source ? `export { ${usedOfZod().join(', ')} } from 'zod'` : null),
    transform: (code) =>
      from !== 'zod' && imported.test(code)
        ? { code: code.replace(imported, `import * as z from '${from}'`), map: null }
        : null,
  }
}

/** What the sources of all packages name of it. */
export function usedOfZod(): readonly string[] {
  const used = globSync('packages/*/src/**/*.ts', { cwd: root, exclude: (file) => file.endsWith('.test.ts') })
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    .filter(({ text }) => imported.test(text))
    .flatMap(({ file, text }) => [...transformSync(file, text).code.matchAll(/\bz\.(\w+)/g)])
    .map(([, name = '']) => name)
  const zod = createRequire(source)('zod') as object
  return [...new Set(used)].filter((name) => name in zod).toSorted()
}
