// What a package brings with it, as CycloneDX: every package that is installed with it, with its version and its hash, from the lockfile.
import { parse } from 'yaml'

type Versions = Readonly<Record<string, string>>

interface Snapshot {
  readonly dependencies?: Versions
  readonly optionalDependencies?: Versions
}

type Needed = Readonly<Record<string, { readonly version: string }>>

interface Importer {
  readonly dependencies?: Needed
  readonly optionalDependencies?: Needed
}

/** The parts of a lockfile of pnpm that are read here. */
export interface Lockfile {
  readonly importers: Readonly<Record<string, Importer>>
  readonly packages: Readonly<Record<string, { readonly resolution: { readonly integrity?: string } }>>
  readonly snapshots: Readonly<Record<string, Snapshot>>
}

/** A package of ours, as its manifest names it. */
export interface Named {
  readonly name: string
  readonly version: string
}

/** Reads a lockfile, which may have more than one document. */
export function readLockfile(text: string): Lockfile {
  return parse(text.split(/^---$/m).at(-1) ?? '') as Lockfile
}

/** The list of one package. `ours` gives the manifest of a folder of this repository. */
export function sbomOf(folder: string, lockfile: Lockfile, ours: (folder: string) => Named) {
  const found = new Map<string, Component>()
  const edges = new Map<string, readonly string[]>()
  const root = componentOfOurs(ours(folder))
  const ofImporter = (at: string, component: Component): void => {
    const { dependencies = {}, optionalDependencies = {} } = lockfile.importers[at] ?? {}
    const needed = Object.entries({ ...dependencies, ...optionalDependencies }).map(([name, { version }]) =>
      visit(name, version, at),
    )
    edges.set(component['bom-ref'], needed)
  }
  const visit = (name: string, version: string, from: string): string => {
    if (version.startsWith('link:')) {
      const at = joined(from, version.slice('link:'.length))
      const component = componentOfOurs(ours(at))
      if (!found.has(component['bom-ref'])) {
        found.set(component['bom-ref'], component)
        ofImporter(at, component)
      }
      return component['bom-ref']
    }
    // An alias is written as the whole key of what it stands for.
    const key = `${name}@${version}` in lockfile.snapshots ? `${name}@${version}` : version
    const component = componentOfOthers(key, lockfile)
    if (found.has(component['bom-ref'])) return component['bom-ref']
    found.set(component['bom-ref'], component)
    const { dependencies = {}, optionalDependencies = {} } = lockfile.snapshots[key] ?? {}
    const needed = Object.entries({ ...dependencies, ...optionalDependencies })
    edges.set(
      component['bom-ref'],
      needed.map(([other, wanted]) => visit(other, wanted, from)),
    )
    return component['bom-ref']
  }
  ofImporter(folder, root)
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: root },
    components: [...found.values()].toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
    dependencies: [...edges].map(([ref, dependsOn]) => ({ ref, dependsOn: [...new Set(dependsOn)].toSorted() })),
  }
}

interface Component {
  readonly type: 'library'
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[]
}

function componentOfOurs({ name, version }: Named): Component {
  const purl = purlOf(name, version)
  return { type: 'library', 'bom-ref': purl, name, version, purl }
}

function componentOfOthers(key: string, { packages }: Lockfile): Component {
  // What stands in brackets are the peers that it was installed with.
  const bare = key.replace(/\(.*$/, '')
  const at = bare.lastIndexOf('@')
  const [name, version] = [bare.slice(0, at), bare.slice(at + 1)]
  const [algorithm, hash = ''] = (packages[bare]?.resolution.integrity ?? '').split(/-(.*)/s)
  const content = Buffer.from(hash, 'base64').toString('hex')
  const ours = componentOfOurs({ name, version })
  return algorithm === 'sha512' ? { ...ours, hashes: [{ alg: 'SHA-512', content }] } : ours
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

function joined(from: string, to: string): string {
  return new URL(to, `file:///${from}/`).pathname.slice(1).replace(/\/$/, '')
}
