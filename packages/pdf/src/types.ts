/** A typeface as it is named in the file, and what its name says. */
export interface Face {
  readonly name: string
  readonly bold: boolean
  readonly italic: boolean
  readonly mono: boolean
}

/** A run of letters as it stands on the page. Lengths are points; y is the baseline and grows downwards. */
export interface TextItem {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
  readonly face: Face
  /** A blank stands between this run and the one before. */
  readonly isSpaced: boolean
  /** Degrees the text is turned by; x and y are those of the page turned back. */
  readonly angle: number
  /** The role that the file's own structure gives it: `H1`, `Code`, `Artifact`. */
  readonly role?: string
  readonly link?: string
}

export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A straight line that is drawn along an axis, as a box without height or without width. */
export type Rule = Box

export interface LinkArea extends Box {
  readonly url: string
}

/** One page as plain data: all that the layout is worked out from. */
export interface PageItems {
  readonly number: number
  readonly width: number
  readonly height: number
  readonly items: readonly TextItem[]
  readonly rules: readonly Rule[]
  readonly links: readonly LinkArea[]
  /** The page holds more than is read of one page. */
  readonly isCut: boolean
  /** Some of its fonts do not say which letters they show, so what is set in them is missing. */
  readonly isUndecoded: boolean
  /** Its bytes do not match their checksum. */
  readonly isDamaged?: boolean
}

/** A bookmark. Depth counts from 1. */
export interface Bookmark {
  readonly title: string
  readonly depth: number
}

/** What the file says about itself. */
export interface FileFacts {
  readonly totalPages: number
  /** The end of the file is missing, so that it may have had more pages. */
  readonly isCut: boolean
  /** What lists its pages does not match its checksum, so that some may be missing. */
  readonly isDamaged?: boolean
  readonly bookmarks: readonly Bookmark[]
  readonly metadata: Readonly<Record<string, string>>
}

/** Letters of one appearance. */
export interface Run {
  readonly text: string
  readonly bold: boolean
  readonly italic: boolean
  readonly mono: boolean
  readonly raised: 'sup' | 'sub' | undefined
  readonly link: string | undefined
}

/** Runs on one baseline that stand close to each other. */
export interface Segment extends Box {
  readonly items: readonly TextItem[]
  readonly y: number
  readonly size: number
  /** A table that was found by its rules stands for all that is in it. */
  readonly table?: readonly Row[]
}

/** All that stands on one baseline of one column, in reading order. */
export interface Line extends Box {
  readonly segments: readonly Segment[]
  readonly runs: readonly Run[]
  readonly text: string
  readonly y: number
  readonly size: number
  readonly face: Face
  readonly role: string | undefined
}

export interface Cell {
  readonly runs: readonly Run[]
  readonly colspan: number
  readonly rowspan: number
}

export interface Row {
  readonly cells: readonly Cell[]
  readonly isHead: boolean
}

/** Where a text may be a heading: what its letters look like and what is known of it. */
export interface TextBlock {
  readonly kind: 'text'
  readonly runs: readonly Run[]
  readonly text: string
  readonly size: number
  readonly face: Face
  readonly lines: number
  readonly role: string | undefined
  readonly page: number
}

export interface ItemBlock {
  readonly kind: 'item'
  readonly runs: readonly Run[]
  readonly depth: number
  /** The number of an ordered item. */
  readonly number: number | undefined
  readonly page: number
}

export interface CodeBlock {
  readonly kind: 'code'
  readonly text: string
  readonly page: number
}

export interface TableBlock {
  readonly kind: 'table'
  readonly rows: readonly Row[]
  readonly page: number
}

export interface HeadingBlock {
  readonly kind: 'heading'
  readonly level: number
  readonly runs: readonly Run[]
  readonly page: number
}

export type Block = TextBlock | ItemBlock | CodeBlock | TableBlock | HeadingBlock
