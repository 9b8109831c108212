// Placeholders for parameters: `{{name}}`.
import { EngineError } from '@harvestman/ports'

import type { Expects, Script, Step, Target, Values } from './schema.ts'

const placeholder = /\{\{([A-Za-z][\w-]{0,62})\}\}/g

/** Returns whether a string contains a placeholder. */
export const isOpen = (text: string | undefined): boolean => text !== undefined && text.search(placeholder) >= 0

/** Returns the names of the placeholders in a string; empty if there are none. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name)
}

/** Returns text with values in place of its placeholders. Lists and unknown names are left as they are. */
export function fillPlaceholders(text: string, values: Values): string {
  return text.replaceAll(placeholder, (whole, name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value : whole
  })
}

/** Returns the value of a step. A placeholder for a list yields the list. Unknown names are left as they are. */
export function filledValue(value: NonNullable<Step['value']>, values: Values): string | readonly string[] {
  if (typeof value !== 'string') return value.map((one) => fillPlaceholders(one, values))
  const [placeholder, name = ''] = /^\{\{([A-Za-z][\w-]{0,62})\}\}$/.exec(value) ?? []
  const replacement = placeholder === undefined ? undefined : values[name]
  return replacement ?? fillPlaceholders(value, values)
}

/** Normalizes a value like text of a page: whitespace is collapsed, at most 120 characters. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, 120)

/**
 * Returns a target with values in place of its placeholders; white space in a filled text is collapsed, and it is cut to 120
 * characters. Lists and unknown names are left as they are.
 */
export function filledTarget(target: Target, values: Values): Target {
  const fill = (text: string): string => (isOpen(text) ? plain(fillPlaceholders(text, values)) : text)
  const { name, label, text, before, after, row } = target
  return {
    ...target,
    name: fill(name),
    ...(label !== undefined && { label: fill(label) }),
    ...(text !== undefined && { text: fill(text) }),
    ...(before !== undefined && { before: fill(before) }),
    ...(after !== undefined && { after: fill(after) }),
    ...(row && { row: row.map(fill) }),
    attributes: Object.fromEntries(
      Object.entries(target.attributes).map(([key, value]) => [key, fillPlaceholders(value, values)]),
    ),
  }
}

/** Returns a URL with percent-encoded values in place of its placeholders. Lists and unknown names are left as they are. */
export function filledUrl(url: string, values: Values): string {
  const parts = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, encodeURIComponent(value)]] : [],
  )
  return fillPlaceholders(url, Object.fromEntries(parts))
}

/** Returns expectations with values in place of their placeholders. Lists and unknown names are left as they are. */
export function filledExpects(expects: Expects, values: Values): Expects {
  const fill = (text: string): string => fillPlaceholders(text, values)
  const { address, state, shows, controls, opens } = expects
  return {
    ...expects,
    ...(address !== undefined && { address: fill(address) }),
    ...(state?.value !== undefined && { state: { ...state, value: fill(state.value) } }),
    ...(shows && { shows: shows.map(fill) }),
    ...(controls && { controls: controls.map(fill) }),
    ...(opens && {
      opens: opens.map((one) => ({ ...one, ...(one.address !== undefined && { address: fill(one.address) }) })),
    }),
  }
}

/** Throws `invalid_request` if values are missing, unknown or of the wrong type. */
export function checkValues({ parameters }: Script, values: Values): void {
  for (const [name, { type }] of Object.entries(parameters)) {
    const value = values[name]
    const is = Array.isArray(value) ? 'list' : 'text'
    if (value === undefined) throw wrong(name, 'is missing. Give its value.')
    if (is !== type) throw wrong(name, `must be a ${type}.`)
  }
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(parameters, name))
  if (unknown !== undefined) throw wrong(unknown, 'is not one of this script.')
}

function wrong(name: string, what: string): EngineError {
  return new EngineError('invalid_request', `The parameter "${name}" ${what}`)
}

/**
 * Returns a string with placeholders in place of values, longest first. Matches only whole words, and only the first 120
 * characters of a value; empty values are skipped. A `{{` of the string itself becomes `{ {`.
 */
export function insertPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  let rest = text.replaceAll('{{', '{ {')
  const names = Object.keys(values).toSorted((a, b) => (values[b]?.length ?? 0) - (values[a]?.length ?? 0))
  for (const name of names) {
    const value = plain(values[name] ?? '')
    if (value === '') continue
    rest = rest
      .split(/(\{\{[\w-]+\}\})/)
      .map((part) => (part.startsWith('{{') ? part : replaceWhole(part, value, `{{${name}}}`)))
      .join('')
  }
  return rest
}

function replaceWhole(text: string, value: string, by: string): string {
  const escaped = value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return text.replaceAll(new RegExp(String.raw`(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])`, 'gu'), () => by)
}
