/** A font, with the properties that its name indicates. */
export interface Face {
  readonly name: string
  readonly bold: boolean
  readonly italic: boolean
  readonly mono: boolean
  /** Set for mathematical fonts. */
  readonly math?: boolean
}

/** A text run on the page. Lengths are in points; y is the baseline and grows downwards. */
export interface TextItem {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size: number
  readonly face: Face
  /** There is a space between this run and the previous one. */
  readonly isSpaced: boolean
  /** Rotation in degrees; x and y are in the coordinates of the page rotated back. */
  readonly angle: number
  /** Role in the file's structure tree: `H1`, `Code`, `Artifact`. */
  readonly role?: string
  readonly link?: string
  /** Probability that recognized text is correct, from 0 to 1. */
  readonly confidence?: number
}

export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A horizontal or vertical line, as a box without height or without width. */
export type Rule = Box

export interface LinkArea extends Box {
  readonly url: string
}

/** One page as plain data, from which the layout is computed. */
export interface PageItems {
  readonly number: number
  readonly width: number
  readonly height: number
  readonly items: readonly TextItem[]
  readonly rules: readonly Rule[]
  readonly links: readonly LinkArea[]
  /** Boxes of images and drawings, from top to bottom. */
  readonly pictures?: readonly Box[]
  /** Whether the page exceeds a limit, so that only its beginning was read. */
  readonly isCut: boolean
  /** Some fonts do not map to Unicode, so their text is missing. */
  readonly isUndecoded: boolean
  /** Some of its data does not match its checksum. */
  readonly isDamaged?: boolean
  /** Its text was recognized in a picture of the page. */
  readonly isRecognized?: boolean
  /** Clockwise rotation of the picture in degrees, before its text was recognized. */
  readonly rotation?: number
}

/** A bookmark. `depth` counts from 1. */
export interface Bookmark {
  readonly title: string
  readonly depth: number
}

/** Properties of the file. */
export interface FileFacts {
  readonly totalPages: number
  /** The end of the file is missing, so there may have been more pages. */
  readonly isCut: boolean
  /** The page list does not match its checksum, so pages may be missing. */
  readonly isDamaged?: boolean
  readonly bookmarks: readonly Bookmark[]
  readonly metadata: Readonly<Record<string, string>>
}

/** A text run with one style. */
export interface Run {
  readonly text: string
  readonly bold: boolean
  readonly italic: boolean
  readonly mono: boolean
  readonly raised: 'sup' | 'sub' | undefined
  readonly link: string | undefined
}

/** Text runs on one baseline that are close to each other. */
export interface Segment extends Box {
  readonly items: readonly TextItem[]
  readonly y: number
  readonly size: number
  /** Set if this segment represents a table that was found by its ruled lines. */
  readonly table?: Table
}

/** The content of one baseline of one column, in reading order. */
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

export interface Table {
  readonly rows: readonly Row[]
  /** Horizontal range of the content of each column, without cells that span columns. Absent for an empty column. */
  readonly columns: readonly (Pick<Box, 'left' | 'right'> | undefined)[]
  /** Whether its vertical lines continue above its first or below its last horizontal line, where a page break splits a row. */
  readonly isOpenAbove?: boolean | undefined
  readonly isOpenBelow?: boolean | undefined
}

/** Where a block is. */
interface Placed {
  readonly page: number
  /** Absent for rotated text. */
  readonly box?: Box | undefined
}

/** A paragraph, which may turn out to be a heading, with its style. */
export interface TextBlock extends Placed {
  readonly kind: 'text'
  readonly runs: readonly Run[]
  readonly text: string
  readonly size: number
  readonly face: Face
  readonly lines: number
  readonly role: string | undefined
}

export interface ItemBlock extends Placed {
  readonly kind: 'item'
  readonly runs: readonly Run[]
  readonly depth: number
  /** Number of an ordered item. */
  readonly number: number | undefined
}

export interface CodeBlock extends Placed {
  readonly kind: 'code'
  readonly text: string
}

export interface FormulaBlock extends Placed {
  readonly kind: 'formula'
  readonly runs: readonly Run[]
}

export interface TableBlock extends Placed, Table {
  readonly kind: 'table'
}

export interface HeadingBlock extends Placed {
  readonly kind: 'heading'
  readonly level: number
  readonly runs: readonly Run[]
}

export type Block = TextBlock | ItemBlock | CodeBlock | FormulaBlock | TableBlock | HeadingBlock
