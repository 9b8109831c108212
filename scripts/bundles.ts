// The JavaScript of a package as it is published: a file for each entry and each thread, with what they share, and source maps.
// Packages stay apart, ours as well as those of others: there is one copy of each, however many of ours are installed.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

import { rolldown, type Plugin } from 'rolldown'

interface Published {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  readonly bin?: Readonly<Record<string, string>>
}

/** Writes the bundles of one package to its `dist`. */
export async function bundle(folder: string): Promise<void> {
  const source = join(folder, 'src')
  const bundled = await rolldown({
    input: entriesOf(folder),
    platform: 'node',
    external: (name) => !name.startsWith('.') && !name.startsWith('/'),
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    plugins: [ownAddresses(source)],
  })
  await bundled.write({
    dir: join(folder, 'dist'),
    sourcemap: true,
    chunkFileNames: 'parts/[name]-[hash].js',
  })
  await bundled.close()
}

/** What `package.json` names, and the files that threads run: they lie where they lie among the sources. */
function entriesOf(folder: string): Record<string, string> {
  const { publishConfig } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly publishConfig: Published
  }
  const exported = Object.values(publishConfig.exports).map((to) => (typeof to === 'string' ? to : to.default))
  const named = [...exported, ...Object.values(publishConfig.bin ?? {})].filter((file) => file.endsWith('.js'))
  const threads = globSync('**/worker.ts', { cwd: join(folder, 'src') }).filter((file) =>
    globSync('*.ts', { cwd: join(folder, 'src', dirname(file)) }).some((beside) =>
      readFileSync(join(folder, 'src', dirname(file), beside), 'utf8').includes('threadFile(import.meta.url)'),
    ),
  )
  const names = [
    ...named.map((file) => file.replace('./dist/', '').replace(/\.js$/, '')),
    ...threads.map(withoutEnding),
  ]
  return Object.fromEntries(names.map((name) => [name, join(folder, 'src', `${name}.ts`)]))
}

function withoutEnding(file: string): string {
  return file.replace(/\.ts$/, '')
}

const address = 'import.meta.url'

/** A module finds what lies beside it by its own address, whichever file it has come into. */
function ownAddresses(source: string): Plugin {
  const mark = (file: string): string => `__address_of__(${JSON.stringify(file)})`
  return {
    name: 'own-addresses',
    transform: (code, id) =>
      code.includes(address)
        ? { code: code.replaceAll(address, mark(relative(source, id).replace(/\.ts$/, '.js'))), map: null }
        : null,
    renderChunk: (code, { fileName }) => ({
      code: code.replaceAll(/__address_of__\("([^"]+)"\)/g, (_, file: string) => {
        const from = relative(dirname(fileName), file)
        const beside = from.startsWith('.') ? from : `./${from}`
        return `new URL(${JSON.stringify(beside)}, ${address}).href`
      }),
      map: null,
    }),
  }
}
