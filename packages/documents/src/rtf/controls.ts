// Control words that change character formatting, paragraph properties, or metadata.
import { codePageOfCharset } from './code-pages.ts'
import type { Reading } from './reading.ts'
import { resetCharacters, resetParagraph, type State } from './state.ts'
import { facts } from './words.ts'

type Control = (reading: Reading, value: number | undefined) => void

const setting =
  (change: (isOn: boolean) => Partial<State>): Control =>
  ({ state }, value) =>
    void Object.assign(state, change(value !== 0))

const maxFallback = 8
const maxListLevel = 8

const controls: Readonly<Record<string, Control>> = {
  b: setting((bold) => ({ bold })),
  i: setting((italic) => ({ italic })),
  strike: setting((strike) => ({ strike })),
  striked: setting((strike) => ({ strike })),
  super: setting((raised) => ({ raised, lowered: false })),
  up: setting((raised) => ({ raised, lowered: false })),
  sub: setting((lowered) => ({ lowered, raised: false })),
  dn: setting((lowered) => ({ lowered, raised: false })),
  nosupersub: setting(() => ({ raised: false, lowered: false })),
  v: setting((isHidden) => ({ isHidden })),
  deleted: setting((isDeleted) => ({ isDeleted })),
  plain: ({ state }) => resetCharacters(state),
  f: (reading, value = 0) => {
    if (reading.state.destination === 'fonts') reading.definedFont = value
    else reading.state.font = value
  },
  uc: ({ state }, value = 1) => {
    state.fallback = Math.min(Math.max(value, 0), maxFallback)
  },
  pard: ({ state }) => resetParagraph(state),
  s: ({ state, style }, value = 0) => {
    state.style = value
    if (state.destination === 'styles') style.id = value
  },
  outlinelevel: ({ state, style }, value) => {
    state.outline = value
    if (state.destination === 'styles') style.outline = value
  },
  intbl: setting(() => ({ isInTable: true })),
  ls: setting(() => ({ isInList: true })),
  pnlvlbody: setting(() => ({ isInList: true })),
  pnlvlblt: setting(() => ({ isInList: true })),
  ilvl: ({ state }, value = 0) => {
    state.listLevel = Math.min(Math.max(value, 0), maxListLevel)
  },
  ansicpg: (reading, value = 1252) => {
    reading.codePage = value
  },
  mac: (reading) => {
    reading.codePage = 10_000
  },
  fcharset: ({ state, fonts, definedFont }, value = 0) => {
    const found = codePageOfCharset(value)
    // Zero means only that the character set is the author's default.
    if (state.destination === 'fonts' && found !== undefined && value !== 0) fonts.set(definedFont, found)
  },
}

/**
 * Handles a control word with its number, if it has one. Returns `false` for a word that it does not know, but never inside
 * the metadata of the file.
 */
export function control(reading: Reading, name: string, value: number | undefined): boolean {
  const change = Object.hasOwn(controls, name) ? controls[name] : undefined
  change?.(reading, value)
  if (change) return true
  if (reading.state.destination !== 'info') return false
  tell(reading, name, value)
  return true
}

function tell({ state, metadata }: Reading, name: string, value: number | undefined): void {
  // Some applications write two authors; the first is the actual one.
  if (facts.has(name)) state.fact = metadata.has(name) ? undefined : name
  else if (state.fact?.endsWith('tim') && /^(?:yr|mo|dy|hr|min)$/.test(name)) {
    metadata.set(`${state.fact}.${name}`, String(value ?? 0))
  }
}
