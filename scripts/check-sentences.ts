// Finds what a package exports without a sentence about it: an editor and the reference would show its name alone.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A module of ours, and how a specifier in it becomes a file; nothing for a package of others. */
export interface Sources {
  read(file: string): string
  resolve(specifier: string, from: string): string | undefined
}

const listed = /^export\s+(?:type\s+)?\{([^}]*)\}(?:\s*from\s*'([^']+)')?/gm
const all = /^export\s+\*\s+from\s*'([^']+)'/gm
const imported = /^import\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'([^']+)'/gm
const defined =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?:\/\/[^\n]*\n)*)?^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\s*\*?|interface|type|class)\s+([\w$]+)/gm

interface Listed {
  readonly name: string
  readonly as: string
}

function namesIn(list: string): readonly Listed[] {
  return list
    .split(',')
    .map((one) => one.trim().replace(/^type\s+/, ''))
    .filter((one) => one !== '')
    .map((one) => {
      const [name = '', as = name] = one.split(/\s+as\s+/)
      return { name, as }
    })
}

/** Each name that a file exports from files of ours without a sentence, as `file: name`. */
export function findUnsaid(entry: string, sources: Sources): string[] {
  const unsaid = new Set<string>()
  const seen = new Set<string>()
  const look = (file: string, only: string | undefined): void => {
    const mark = `${file} ${only ?? '*'}`
    if (seen.has(mark)) return
    seen.add(mark)
    const text = sources.read(file)
    // A function of several signatures has its sentence at one of them.
    const said = new Map<string, boolean>()
    for (const [, sentence, name = ''] of text.matchAll(defined))
      said.set(name, said.get(name) || sentence !== undefined)
    for (const [name, isSaid] of said) if (!isSaid && (only ?? name) === name) unsaid.add(`${file}: ${name}`)
    const passOn = (specifier: string, name: string | undefined): void => {
      const source = sources.resolve(specifier, file)
      if (source !== undefined) look(source, name)
    }
    for (const [, list = '', specifier] of text.matchAll(listed)) {
      for (const { name, as } of namesIn(list)) {
        if ((only ?? as) !== as) continue
        if (specifier !== undefined) passOn(specifier, name)
        else for (const [from, original] of importsOfName(text, name)) passOn(from, original)
      }
    }
    for (const [, specifier = ''] of text.matchAll(all)) passOn(specifier, only)
  }
  look(entry, undefined)
  return [...unsaid]
}

function importsOfName(text: string, name: string): readonly (readonly [string, string])[] {
  return [...text.matchAll(imported)].flatMap(([, list = '', specifier = '']) =>
    namesIn(list)
      .filter(({ as }) => as === name)
      .map((one) => [specifier, one.name] as const),
  )
}

interface Manifest {
  readonly exports?: Readonly<Record<string, unknown>>
}

/** The files of an entry: those that its pattern matches, if it is one, but no tests. */
function filesOf(root: string, folder: string, entry: string, source: string): (readonly [string, string])[] {
  if (!entry.endsWith('/*')) return [[entry, join(folder, source)]]
  const base = join(folder, source.slice(0, source.indexOf('*')))
  return globSync('**/*.ts', { cwd: join(root, base) })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => [entry.replace('*', file.replace(/\.ts$/, '').replaceAll('\\', '/')), join(base, file)])
}

/** The files of our packages, by what a program imports. */
export function sourcesOf(root: string): Sources & { readonly entries: (folder: string) => readonly string[] } {
  const entriesOf = (folder: string): Readonly<Record<string, string>> => {
    const path = join(root, folder, 'package.json')
    if (!existsSync(path)) return {}
    const { exports = {} } = JSON.parse(readFileSync(path, 'utf8')) as Manifest
    return Object.fromEntries(
      Object.entries(exports).flatMap(([entry, source]) =>
        typeof source === 'string' && source.endsWith('.ts') ? filesOf(root, folder, entry, source) : [],
      ),
    )
  }
  return {
    read: (file) => readFileSync(join(root, file), 'utf8'),
    resolve: (specifier, from) => {
      if (specifier.startsWith('.')) return join(dirname(from), specifier)
      const [, name = '', entry = ''] = /^@harvestman\/([^/]+)(\/.*)?$/.exec(specifier) ?? []
      return name === '' ? undefined : entriesOf(join('packages', name))[`.${entry}`]
    },
    entries: (folder) => Object.values(entriesOf(folder)),
  }
}
