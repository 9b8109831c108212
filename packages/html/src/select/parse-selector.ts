import { readFormula } from './positions.ts'
import { aliases, plainPseudos, pseudosWithText } from './pseudos.ts'
import {
  expectSign,
  foundAt,
  peek,
  readArgument,
  readIdentifier,
  readName,
  readString,
  skipBlanks,
  SyntaxProblem,
  take,
  type Scanner,
} from './scanner.ts'
import type { AttributeTest, Combinator, Complex, Compound, SelectorList, Simple } from './syntax.ts'

/** Parses a list of selectors. Throws a `SyntaxProblem` if it is not valid. */
export function parseSelector(text: string): SelectorList {
  const scanner: Scanner = { text, at: 0 }
  const list = readList(scanner, false)
  if (peek(scanner) !== '') throw new SyntaxProblem(`${JSON.stringify(peek(scanner))} is not expected there.`)
  return list
}

/** Reads up to the end of the string, or to the parenthesis that closes the list. */
function readList(scanner: Scanner, isRelative: boolean): SelectorList {
  const list: Complex[] = []
  do list.push(readComplex(scanner, isRelative))
  while (take(scanner, ','))
  return list
}

function readComplex(scanner: Scanner, isRelative: boolean): Complex {
  skipBlanks(scanner)
  const compounds: Compound[] = []
  let combinator: Combinator = ' '
  if (/[>+~]/.test(peek(scanner))) {
    if (!isRelative) throw new SyntaxProblem(`it begins with ${JSON.stringify(peek(scanner))}.`)
    combinator = readCombinator(scanner)
  }
  for (;;) {
    compounds.push({ combinator, simples: readCompound(scanner) })
    const hasBlanks = skipBlanks(scanner)
    const next = peek(scanner)
    if (next === '' || next === ',' || next === ')') return compounds
    if (/[>+~]/.test(next)) combinator = readCombinator(scanner)
    else if (hasBlanks) combinator = ' '
    else throw new SyntaxProblem(`${JSON.stringify(next)} is not expected there.`)
  }
}

function readCombinator(scanner: Scanner): Combinator {
  const sign = peek(scanner) as Combinator
  scanner.at += 1
  skipBlanks(scanner)
  return sign
}

function readCompound(scanner: Scanner): readonly Simple[] {
  const simples: Simple[] = []
  const from = scanner.at
  if (!take(scanner, '*') && isNameStart(peek(scanner))) {
    simples.push({ kind: 'name', name: readIdentifier(scanner, 'a tag').toLowerCase() })
  }
  for (let sign = peek(scanner); '.#[:'.includes(sign) && sign !== ''; sign = peek(scanner)) {
    scanner.at += 1
    if (sign === '.') simples.push({ kind: 'class', value: readIdentifier(scanner, 'a class') })
    else if (sign === '#') simples.push({ kind: 'id', value: readName(scanner, 'an id') })
    else if (sign === '[') simples.push(readAttribute(scanner))
    else simples.push(...readPseudo(scanner))
  }
  if (scanner.at === from) throw new SyntaxProblem(`a tag, a class or the like is missing${foundAt(scanner)}.`)
  return simples
}

function isNameStart(sign: string): boolean {
  return sign !== '' && /[\w\\-]|[^\0-\x7F]/.test(sign)
}

const operators = ['=', '~=', '|=', '^=', '$=', '*=', '!='] as const

function readAttribute(scanner: Scanner): AttributeTest {
  skipBlanks(scanner)
  const name = readIdentifier(scanner, 'an attribute').toLowerCase()
  skipBlanks(scanner)
  if (take(scanner, ']')) return { kind: 'attribute', name, operator: '', value: '', ignoreCase: false }
  const operator = operators.find((sign) => take(scanner, sign))
  if (!operator) throw new SyntaxProblem(`an attribute needs a "]"${foundAt(scanner)}.`)
  skipBlanks(scanner)
  const isQuoted = /["']/.test(peek(scanner))
  const value = isQuoted ? readString(scanner) : readName(scanner, 'the value of an attribute')
  skipBlanks(scanner)
  const flag = /[is]/i.test(peek(scanner)) ? scanner.text[scanner.at++]!.toLowerCase() : ''
  skipBlanks(scanner)
  expectSign(scanner, ']', 'an attribute')
  return {
    kind: 'attribute',
    name,
    operator,
    value,
    ignoreCase: flag === 'i' || (flag === '' && ignoresCase.has(name)),
  }
}

// Attributes whose values are case-insensitive in HTML, by the standard.
const ignoresCase = new Set(
  (
    'accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir direction ' +
    'disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref noresize noshade nowrap ' +
    'readonly rel rev rules scope scrolling selected shape target text type valign valuetype vlink'
  ).split(' '),
)

const nths: Readonly<Record<string, readonly [ofType: boolean, fromEnd: boolean]>> = {
  'nth-child': [false, false],
  'nth-last-child': [false, true],
  'nth-of-type': [true, false],
  'nth-last-of-type': [true, true],
}
const lists: Readonly<Record<string, 'is' | 'not' | 'has'>> = {
  is: 'is',
  where: 'is',
  matches: 'is',
  not: 'not',
  has: 'has',
}
const places: Readonly<Record<string, readonly (readonly [ofType: boolean, fromEnd: boolean])[]>> = {
  'first-child': [[false, false]],
  'last-child': [[false, true]],
  'only-child': [
    [false, false],
    [false, true],
  ],
  'first-of-type': [[true, false]],
  'last-of-type': [[true, true]],
  'only-of-type': [
    [true, false],
    [true, true],
  ],
}

function readPseudo(scanner: Scanner): readonly Simple[] {
  if (peek(scanner) === ':') throw new SyntaxProblem('pseudo-elements are no part of a page.')
  const name = readIdentifier(scanner, 'a pseudo-class').toLowerCase()
  const has = (record: object): boolean => Object.hasOwn(record, name)
  if (take(scanner, '(')) return [readFunction(scanner, name)]
  if (has(places)) {
    return places[name]!.map(([ofType, fromEnd]) => ({ kind: 'nth', formula: '1', ofType, fromEnd, of: undefined }))
  }
  if (has(aliases)) return [{ kind: 'list', name: 'is', list: parseSelector(aliases[name]!) }]
  if (has(plainPseudos)) return [{ kind: 'pseudo', name, argument: '' }]
  const needsMore = has(lists) || has(nths) || has(pseudosWithText)
  throw new SyntaxProblem(needsMore ? `:${name} needs something in parentheses.` : `Unknown pseudo-class :${name}.`)
}

function readFunction(scanner: Scanner, name: string): Simple {
  if (Object.hasOwn(lists, name)) {
    const kind = lists[name]!
    const list = readList(scanner, kind === 'has')
    expectSign(scanner, ')', `:${name}`)
    return { kind: 'list', name: kind, list }
  }
  const argument = readArgument(scanner, `:${name}`)
  if (Object.hasOwn(nths, name)) return readNth(name, argument)
  if (!Object.hasOwn(pseudosWithText, name)) throw new SyntaxProblem(`Unknown pseudo-class :${name}().`)
  const isQuoted = /^["'].*["']$/s.test(argument)
  return { kind: 'pseudo', name, argument: isQuoted ? readString({ text: argument, at: 0 }) : argument }
}

function readNth(name: string, argument: string): Simple {
  const [ofType, fromEnd] = nths[name]!
  const [, formula = argument, of] = ofType ? [] : (/^(.+?)\s+of\s+(.+)$/is.exec(argument) ?? [])
  if (!readFormula(formula)) throw new SyntaxProblem(`:${name}(${argument}) is not a place like 2, odd or 3n+1.`)
  return { kind: 'nth', formula, ofType, fromEnd, of: of === undefined ? undefined : parseSelector(of) }
}
