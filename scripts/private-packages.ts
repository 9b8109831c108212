// Private packages: the build copies their code and declarations into `dist/private` of the published packages that import them.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string>>
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, string | { readonly types: string }>> }
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest

/** The folders of packages, such as `packages/core`. */
export const packageFolders: readonly string[] = globSync('packages/*', { cwd: root })
  .map((folder) => folder.replaceAll('\\', '/'))
  .toSorted()

/** The folders of the packages that are published. */
export const publishedFolders: readonly string[] = packageFolders.filter((folder) => !manifestOf(folder).private)

/** Private packages by name. */
const privatePackages: ReadonlyMap<string, { readonly folder: string; readonly manifest: Manifest }> = new Map(
  packageFolders
    .filter((folder) => !publishedFolders.includes(folder))
    .map((folder) => [manifestOf(folder).name, { folder, manifest: manifestOf(folder) }]),
)

export const privateNames: readonly string[] = [...privatePackages.keys()]

/** The package that a specifier names. */
export function packageNamed(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

export function isPrivate(specifier: string): boolean {
  return privatePackages.has(packageNamed(specifier))
}

/** The path of a module in `dist` of the package whose sources are in `source`. */
export function placeInBundle(source: string, id: string): string {
  const own = relative(source, id)
  const [, name, file] = /^packages\/([^/]+)\/src\/(.+)$/.exec(relative(root, id).replaceAll('\\', '/')) ?? []
  const isCarried = own.startsWith('..') && name !== undefined && file !== undefined
  return (isCarried ? `private/${name}/${file}` : own).replace(/\.ts$/, '.js')
}

const quoted = /(['"])(@harvestman\/[\w/-]+)\1/g

/**
 * Writes the declarations that the entries of a package need to `dist`, including those of private packages, with relative
 * specifiers. `declared` has the declarations of all packages.
 */
export function writeDeclarations(folder: string, dist: string, declared: string): void {
  const { name, publishConfig } = manifestOf(folder)
  const entries = Object.values(publishConfig?.exports ?? {}).flatMap((to) =>
    typeof to === 'string' ? [] : [to.types],
  )
  const needed = new Set(entries.map((types) => types.replace('./dist/', '').replace(/\.d\.ts$/, '')))
  for (const path of needed) {
    const [, carried, module] = /^private\/([^/]+)\/(.+)$/.exec(path) ?? []
    const source = join(declared, carried ?? folder.slice('packages/'.length), 'src', `${module ?? path}.d.ts`)
    const text = readFileSync(source, 'utf8').replaceAll(quoted, (whole, quote: string, specifier: string) => {
      const to = declarationOf(specifier, name)
      if (to === undefined) return whole
      const beside = relative(dirname(path), to).replaceAll('\\', '/')
      return `${quote}${beside.startsWith('.') ? beside : `./${beside}`}.ts${quote}`
    })
    for (const beside of relativeOf(text)) needed.add(join(dirname(path), beside).replaceAll('\\', '/'))
    mkdirSync(dirname(join(dist, path)), { recursive: true })
    writeFileSync(join(dist, `${path}.d.ts`), text)
  }
}

/** The declarations of an entry in `dist`, without the extension; `undefined` for other published packages. */
function declarationOf(specifier: string, self: string): string | undefined {
  const name = packageNamed(specifier)
  const found = privatePackages.get(name)
  if (!found && name !== self) return undefined
  const { exports = {} } = found?.manifest ?? manifestOf(`packages/${self.replace('@harvestman/', '')}`)
  const entry = specifier.slice(name.length)
  const source = exports[`.${entry}`] ?? exports['./*']?.replace('*', entry.slice(1))
  if (source === undefined) throw new Error(`${specifier} is no entry of ${name}.`)
  const module = source.replace(/^\.\/src\//, '').replace(/\.ts$/, '')
  return found ? `private/${found.folder.slice('packages/'.length)}/${module}` : module
}

function relativeOf(declaration: string): string[] {
  return [...declaration.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[\w./-]+?)\.[jt]s['"]/g)].map(
    ([, path = '']) => path,
  )
}

/** Imports of private packages that are left in `dist`. */
export function privateLeft(dist: string): string[] {
  return globSync('**/*.{js,d.ts}', { cwd: resolve(dist) }).flatMap((file) =>
    [
      ...readFileSync(join(dist, file), 'utf8').matchAll(
        /(?:from|import|require)\s*\(?\s*['"](@harvestman\/[\w/-]+)['"]/g,
      ),
    ]
      .map(([, specifier = '']) => specifier)
      .filter(isPrivate)
      .map((specifier) => `${file} names ${specifier}`),
  )
}
