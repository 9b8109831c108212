import { EngineError } from '@harvestman/ports'

import { defineParser } from '../plugin/define.ts'
import type { Parser } from '../plugin/parts.ts'
import { allParsers } from '../schema/scrape.ts'
import type { Kit } from './kit.ts'
import type { Plan } from './plan.ts'

/** Returns whether a parser may be used. One that is named like an entry of the option `parsers` must be listed there. */
export function isOn(name: string, { request }: Plan): boolean {
  return !allParsers.some((choice) => choice.type === name) || request.parsers.some((choice) => choice.type === name)
}

/** Returns the first parser that may be used and accepts the type. Throws `unsupported_file` without one. */
export function chooseParser(type: string, plan: Plan, kit: Kit): Parser {
  const parser = kit.registry.parsers.find((known) => isOn(known.name, plan) && reads(known, type))
  if (parser) return parser
  const problem = `No parser of this engine reads ${type}.`
  throw new EngineError('unsupported_file', `${problem} Add a plugin with one.`, {
    details: { type, problem, isMissing: true },
  })
}

/** Returns the name of the parser of a type that the request omits. */
export function parserTurnedOff(type: string, plan: Plan, { registry }: Kit): string | undefined {
  return registry.parsers.find((parser) => !isOn(parser.name, plan) && reads(parser, type))?.name
}

/** Reads nothing from a file whose body is returned. HTML is parsed for its metadata and links. */
export const rawParser = defineParser({ name: 'raw', accepts: [], parse: () => ({ html: '' }) })

function reads({ accepts }: Parser, type: string): boolean {
  return accepts.some((pattern) => fits(type, pattern))
}

/**
 * Returns whether the declared type may describe the file: it is one of its parser. A PDF that was sent as an image, or as
 * `application/octet-stream`, has another one. A parser of all types does not confirm any.
 */
export function isDeclared(contentType: string | undefined, type: string, { accepts }: Parser): boolean {
  const declared = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  const isOwn = (pattern: string): boolean => pattern !== '*' && fits(declared ?? '', pattern)
  return !declared || declared === type || accepts.length === 0 || accepts.some(isOwn)
}

function fits(type: string, pattern: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return type === pattern
  return type.startsWith(pattern.slice(0, star)) && type.endsWith(pattern.slice(star + 1))
}
