// State that applies inside a group and is restored at its end.

/** Where text is written to. */
export type Destination = 'body' | 'skip' | 'fonts' | 'styles' | 'info' | 'listtext' | 'instruction' | 'footnote'

export interface State {
  destination: Destination
  /** The entry of `info`, or `undefined`. */
  fact: string | undefined
  bold: boolean
  italic: boolean
  strike: boolean
  raised: boolean
  lowered: boolean
  isHidden: boolean
  isDeleted: boolean
  font: number
  /** Number of fallback characters after `\u`, for readers without Unicode support. */
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

/** Returns the state at the start of a file: plain text in the body. */
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

/** Resets the formatting of characters to plain, in place. */
export function resetCharacters(state: State): void {
  Object.assign(state, plainCharacters)
}

/** Resets the formatting of paragraphs to body text outside tables and lists, in place. */
export function resetParagraph(state: State): void {
  Object.assign(state, {
    style: 0,
    outline: undefined,
    isInTable: false,
    isInList: false,
    listLevel: 0,
  })
}
