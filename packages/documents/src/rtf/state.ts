// What holds inside a group, and ends with it.

/** Where text goes. */
export type Destination = 'body' | 'skip' | 'fonts' | 'styles' | 'info' | 'listtext' | 'instruction' | 'footnote'

export interface State {
  destination: Destination
  /** The entry of `info`, or nothing. */
  fact: string | undefined
  bold: boolean
  italic: boolean
  strike: boolean
  raised: boolean
  lowered: boolean
  isHidden: boolean
  isDeleted: boolean
  font: number
  /** How many characters stand after `\u` for programs that do not know it. */
  fallback: number
  href: string | undefined
  style: number
  outline: number | undefined
  isInTable: boolean
  isInList: boolean
  listLevel: number
}

const plainCharacters = {
  bold: false,
  italic: false,
  strike: false,
  raised: false,
  lowered: false,
  isHidden: false,
  isDeleted: false,
  font: -1,
}

export function firstState(): State {
  return {
    ...plainCharacters,
    destination: 'body',
    fact: undefined,
    fallback: 1,
    href: undefined,
    style: 0,
    outline: undefined,
    isInTable: false,
    isInList: false,
    listLevel: 0,
  }
}

export function resetCharacters(state: State): void {
  Object.assign(state, plainCharacters)
}

export function resetParagraph(state: State): void {
  Object.assign(state, {
    style: 0,
    outline: undefined,
    isInTable: false,
    isInList: false,
    listLevel: 0,
  })
}
