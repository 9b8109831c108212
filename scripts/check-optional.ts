import type { NamedFile } from './check-names.ts'

/** The parts of a package's manifest that name its optional packages. */
export interface Manifest {
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Returns the packages that may not be installed together with the package of this manifest. */
export function optionalOf({ peerDependenciesMeta = {}, optionalDependencies = {} }: Manifest): readonly string[] {
  const peers = Object.entries(peerDependenciesMeta).flatMap(([name, { optional }]) => (optional ? [name] : []))
  return [...new Set([...peers, ...Object.keys(optionalDependencies)])]
}

const statically = /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^']+)'/g
const dynamically = /(loadOptional\([^;]*?=>\s*|typeof\s+)?\bimport\('([^']+)'\)/g

/**
 * Finds imports of optional packages that fail without naming the package, one sentence each. Imports of types, and imports
 * within `loadOptional`, are fine.
 */
export function findPlainImports(files: readonly NamedFile[], optional: readonly string[]): string[] {
  const isOptional = (specifier: string): boolean =>
    optional.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  return files.flatMap(({ file, text }) => {
    const found = [
      ...[...text.matchAll(statically)].map(([, specifier = '']) => specifier),
      ...[...text.matchAll(dynamically)].flatMap(([, loader, specifier = '']) => (loader ? [] : [specifier])),
    ]
    return found
      .filter(isOptional)
      .map((name) => `${file} imports ${name}, which may not be installed: load it with loadOptional, which names it.`)
  })
}
