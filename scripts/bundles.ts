// The JavaScript of a package as it is published: a file for each entry and each thread, with what they share, and source maps.
// Packages stay apart, ours as well as those of others: there is one copy of each, however many of ours are installed. Only zod comes
// with one of ours (scripts/own-zod.ts), and private packages with those that import them (scripts/private-packages.ts).
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'

import { rolldown, type CodeSplittingNameFunction, type OutputAsset, type OutputChunk, type Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'

import { asciiOnly } from './ascii.ts'
import { ownZod, publisher } from './own-zod.ts'
import { isPrivate, packageNamed, placeInBundle } from './private-packages.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly publishConfig: {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>
    readonly bin?: Readonly<Record<string, string>>
  }
}

/** Writes the bundles of one package to its `dist`. */
export async function bundle(folder: string): Promise<void> {
  const source = join(folder, 'src')
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const isOwn = (name: string): boolean =>
    name.startsWith('.') ||
    name.startsWith('/') ||
    packageNamed(name) === manifest.name ||
    isPrivate(name) ||
    (name === 'zod' && manifest.name === publisher)
  const bundled = await rolldown({
    input: entriesOf(folder, manifest),
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    external: (name) => !isOwn(name),
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    plugins: [ownZod(manifest), loadedByUrl(source), ownAddresses(source), asciiOnly()],
  })
  const { output } = await bundled.write({
    dir: join(folder, 'dist'),
    sourcemap: true,
    // Editors read doc comments in the declarations.
    comments: { jsdoc: false },
    chunkFileNames: 'parts/[name]-[hash].js',
    codeSplitting: {
      groups: [{ name: nameByEntries(source), debugName: 'entries', includeDependenciesRecursively: false }],
    },
  })
  await bundled.close()
  checkNamed(manifest, output)
  writeLicences(
    folder,
    output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])),
  )
}

/**
 * Names the chunk of a module by all entries that import it. Otherwise a module that is also used by what an entry imports late
 * would have a chunk of its own, and each late import would make the entry load more files. Modules that are only imported late
 * are divided as usual.
 */
function nameByEntries(source: string): CodeSplittingNameFunction {
  const nameOf = (entry: string): string =>
    relative(source, entry)
      .replaceAll(/^\W+|\.ts$/g, '')
      .replaceAll(/\W+/g, '-')
  return (id, graph) => {
    // Entries stay apart, so that they export nothing else.
    if (graph.getModuleInfo(id)?.isEntry === true) return null
    const above = new Set([id])
    const entries: string[] = []
    for (const each of above) {
      const { isEntry = false, importers = [] } = graph.getModuleInfo(each) ?? {}
      if (isEntry) entries.push(nameOf(each))
      for (const importer of importers) above.add(importer)
    }
    return entries.length === 0 ? null : entries.toSorted().join('-').slice(0, 200)
  }
}

/** Each package of others that has come into the bundles, with its licence, in `dist/licences.txt`. */
function writeLicences(folder: string, modules: readonly string[]): void {
  const others = new Set(modules.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []))
  const texts = [...others].toSorted().map((other) => {
    const { name, version } = JSON.parse(readFileSync(join(other, 'package.json'), 'utf8')) as Manifest
    const [licence] = globSync('{LICENSE,LICENCE}*', { cwd: other })
    if (licence === undefined) throw new Error(`${name} has no file with its licence, so it cannot be in a bundle.`)
    return `${name} ${version}\n\n${readFileSync(join(other, licence), 'utf8').trim()}\n`
  })
  if (texts.length > 0) writeFileSync(join(folder, 'dist/licences.txt'), texts.join('\n\n'))
}

/** Imported from sources only: it builds the web page. */
const besideSources = new Set(['vite'])

/** Throws when a bundle imports a package that the manifest does not declare. */
function checkNamed(manifest: Manifest, output: readonly (OutputChunk | OutputAsset)[]): void {
  const { name, dependencies, peerDependencies, optionalDependencies } = manifest
  const declared = new Set([
    name,
    ...[dependencies, peerDependencies, optionalDependencies].flatMap((list) => Object.keys(list ?? {})),
  ])
  const chunks = output.filter((file) => file.type === 'chunk')
  const files = new Set(chunks.map(({ fileName }) => fileName))
  const named = chunks.flatMap(({ code, imports, dynamicImports }) => [
    ...[...imports, ...dynamicImports].filter((to) => !files.has(to) && !to.startsWith('.')),
    ...Array.from(code.matchAll(/\brequire\(['"]([\w@][^'"]*)['"]\)/g), ([, to = '']) => to),
  ])
  const names = named.filter((to) => !isBuiltin(to)).map(packageNamed)
  const missing = new Set(names.filter((to) => !declared.has(to) && !besideSources.has(to)))
  if (missing.size > 0) throw new Error(`${name} imports ${[...missing].join(', ')}, and does not depend on it.`)
}

/** What `package.json` names. */
function entriesOf(folder: string, { publishConfig }: Manifest): Record<string, string> {
  const exported = Object.values(publishConfig.exports).map((to) => (typeof to === 'string' ? to : to.default))
  const named = [...exported, ...Object.values(publishConfig.bin ?? {})].filter((file) => file.endsWith('.js'))
  const names = named.map((file) => file.replace('./dist/', '').replace(/\.js$/, ''))
  return Object.fromEntries(names.map((name) => [name, join(folder, 'src', `${name}.ts`)]))
}

const byUrl = /\b(?:threadFile|fileBeside)\(import\.meta\.url(?:, '([\w/-]+)')?\)/g

/** Emits the files that modules load by URL, such as workers, at the same relative paths as in the sources. */
function loadedByUrl(source: string): Plugin {
  const loaders = new Map<string, string>()
  return {
    name: 'loaded-by-url',
    transform(code, id) {
      for (const [, name = 'worker'] of code.matchAll(byUrl)) {
        const file = join(dirname(id), `${name}.ts`)
        const fileName = placeInBundle(source, file)
        loaders.set(fileName, id)
        this.emitFile({ type: 'chunk', id: file, fileName })
      }
      return null
    },
    // Not those of modules that were left out because nothing uses them.
    generateBundle(_, files) {
      const used = new Set(Object.values(files).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])))
      for (const [fileName, loader] of loaders) if (!used.has(loader)) delete files[fileName]
    },
  }
}

const address = 'import.meta.url'

/** Finds where a program uses its own address. Messages and comments may mention it. */
function addressesIn(node: unknown): number[] {
  if (typeof node !== 'object' || node === null) return []
  if ('type' in node && node.type === 'MemberExpression' && 'object' in node && 'property' in node) {
    const { object, property } = node as { object: { type: string; start: number }; property: { name?: string } }
    if (object.type === 'MetaProperty' && property.name === 'url') return [object.start]
  }
  return Object.values(node).flatMap(addressesIn)
}

/** A module finds what lies beside it by its own address, whichever file it has come into. */
function ownAddresses(source: string): Plugin {
  const mark = (file: string): string => `__address_of__(${JSON.stringify(file)})`
  return {
    name: 'own-addresses',
    transform: (code, id) => {
      if (!code.includes(address)) return null
      const places = addressesIn(parseAst(code, { lang: id.endsWith('.ts') ? 'ts' : 'js' }))
      const own = mark(placeInBundle(source, id))
      // From the end, so that the places before stay where they are.
      const marked = places
        .toSorted((one, other) => other - one)
        .reduce((text, at) => text.slice(0, at) + own + text.slice(at + address.length), code)
      return { code: marked, map: null }
    },
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
