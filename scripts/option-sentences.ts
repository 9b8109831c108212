// An option says what it is in its schema, which an editor does not read: in the declarations that are published, the same
// sentence stands above the option as a comment, so that it is shown where a request is written.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const keyLine = /^(\s+)(?:readonly )?(\w+): (?=z\.)/
const sentence = /(?:\bdescription:\s*|\.describe\(\s*)(?:'((?:[^'\\]|\\.)*)'|`([^`$]*)`)/
// `name: value`, the short form `name,`, and `const name = value`; the value may be a name again.
const property = /^(\s*)(?:(\w+): (?:(\w+)\b)?|(\w+),$|(?:export )?const (\w+) = (?:(\w+)\b)?)/

interface Said {
  /** What properties say of themselves, by name. */
  readonly own: Map<string, string[]>
  /** Properties whose value is a name, with that name. */
  readonly named: (readonly [name: string, value: string])[]
  /** What values with a name say of themselves. */
  readonly values: Map<string, string[]>
  /** Properties with a schema of their own that has no sentence. */
  readonly silent: Set<string>
}

/** What the properties and values of a source say of themselves. */
export function sentencesOf(source: string): Said {
  const said: Said = { own: new Map(), named: [], values: new Map(), silent: new Set() }
  const lines = source.split('\n')
  for (const [at, line] of lines.entries()) {
    const [, indent = '', name, value, short, constant] = property.exec(line) ?? []
    const key = name ?? constant ?? short
    if (key === undefined) continue
    const end = lines.findIndex((other, index) => index > at && !other.startsWith(`${indent} `) && other.trim() !== '')
    const text = short === undefined ? outermost(lines.slice(at, end === -1 ? undefined : end)) : undefined
    if (text !== undefined) add(constant === undefined ? said.own : said.values, key, text)
    else if (constant === undefined && value === 'z') said.silent.add(key)
    else if (constant === undefined) said.named.push([key, value ?? key])
  }
  return said
}

function add(to: Map<string, string[]>, name: string, text: string): void {
  to.set(name, [...(to.get(name) ?? []), text])
}

/** Of several sentences in the lines of a property, that of the least indent is its own. */
function outermost([first = '', ...rest]: readonly string[]): string | undefined {
  const onLine = textOf(sentence.exec(first))
  if (onLine !== undefined) return onLine
  const starts = rest.flatMap((line, at) =>
    /\bdescription:|\.describe\(/.test(line) ? [{ at, indent: line.length - line.trimStart().length }] : [],
  )
  const [nearest] = starts.toSorted((one, other) => one.indent - other.indent)
  return nearest && textOf(sentence.exec(rest.slice(nearest.at, nearest.at + 3).join('\n')))
}

function textOf(found: RegExpExecArray | null): string | undefined {
  return found ? (found[1] ?? found[2])?.replaceAll(/\\(.)/g, '$1').replaceAll('*/', '* /') : undefined
}

type Sentences = ReadonlyMap<string, readonly string[]>

/**
 * The declaration with the sentence of each option above it. Within an option, names are taken from `all` alone, where they
 * mean one thing; a name that means several is left as it is.
 */
export function withSentences(declaration: string, own: Sentences, all: Sentences): string {
  const lines = declaration.split('\n')
  return lines
    .flatMap((line, at) => {
      const [, indent = '', name] = keyLine.exec(line) ?? []
      if (name === undefined || lines[at - 1]?.trim().endsWith('*/')) return [line]
      const said = (indent.length > 4 ? undefined : only(own.get(name))) ?? only(all.get(name))
      return said === undefined ? [line] : [`${indent}/** ${said} */`, line]
    })
    .join('\n')
}

function only(said: readonly string[] | undefined): string | undefined {
  const [one, ...others] = new Set(said)
  return others.length === 0 ? one : undefined
}

/** Sentences for one declaration: those of its own source, and those of all sources of its package. */
export interface DeclarationSentences {
  readonly own: Sentences
  readonly all: Sentences
}

/**
 * Returns the sentences for the declaration of each source, by file. Names that the source does not define are looked up within
 * its package: in another one the same name is another option.
 */
export function sentencesByFile(sources: ReadonlyMap<string, string>): Map<string, DeclarationSentences> {
  const packages = new Map<string, Map<string, Said>>()
  for (const [file, text] of sources) {
    const name = packageOf(file)
    packages.set(name, (packages.get(name) ?? new Map<string, Said>()).set(file, sentencesOf(text)))
  }
  const found = new Map<string, DeclarationSentences>()
  for (const files of packages.values()) {
    const all = allOf([...files.values()])
    for (const [file, { own, silent }] of files) {
      const others = [...all].filter(([name]) => !silent.has(name))
      found.set(file, { own, all: new Map(others) })
    }
  }
  return found
}

const packageOf = (file: string): string => file.split('/')[1] ?? ''

/** Resolves named values in `own` of each source, and returns the sentences of all of them together. */
function allOf(files: readonly Said[]): Map<string, string[]> {
  const [values, all] = [new Map<string, string[]>(), new Map<string, string[]>()]
  for (const said of files) for (const [name, texts] of said.values) for (const text of texts) add(values, name, text)
  for (const { own, named } of files) {
    for (const [name, value] of named) {
      const text = only(values.get(value))
      if (text !== undefined) add(own, name, text)
    }
    for (const [name, texts] of own) for (const text of texts) add(all, name, text)
  }
  return all
}

/** Puts them into all declarations of a folder that was compiled from the packages of `root`. */
export function addSentences(root: string, compiled: string): void {
  const files = globSync('packages/*/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  for (const [file, { own, all }] of sentencesByFile(sources)) {
    const declared = join(compiled, file.slice('packages/'.length).replace(/\.ts$/, '.d.ts'))
    if (!existsSync(declared)) continue
    writeFileSync(declared, withSentences(readFileSync(declared, 'utf8'), own, all))
  }
}
