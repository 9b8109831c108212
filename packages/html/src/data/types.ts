// Structured data of a page. Plain objects, so that they can be passed between threads.

/** How the page provides the data. */
export type DataMethod =
  | 'json-ld'
  | 'microdata'
  | 'rdfa'
  | 'meta'
  | 'table'
  | 'definition-list'
  | 'label'
  | 'state'
  | 'element'
  | 'seen'

/** An element that data was read from. */
export interface DataSource {
  readonly method: DataMethod
  /** A CSS selector for the element. */
  readonly selector: string
  /** Index among all elements of the page in document order, from 0. */
  readonly position: number
}

/** A value without parts. */
export type Scalar = string | number | boolean

/** A value as written on the page, with its source. */
export interface DataLeaf {
  readonly value: Scalar
  /** Index in `PageData.sources`. */
  readonly source: number
  /** JSON Pointer in the element's JSON. */
  readonly pointer?: string
  /** The original text, if the value was read from text. */
  readonly quote?: string
  /** Only for values without markup: from 0 (a guess) to 1 (certain). */
  readonly confidence?: number
}

/** A reference to another item. */
export interface DataLink {
  /** Index in `PageData.items`. */
  readonly item: number
}

/** A value, or a reference to another item. */
export type DataEntry = DataLeaf | DataLink

/** An entity that the page describes: a product, an article, a person. */
export interface DataItem {
  /** Type names without their vocabulary: `Product`. */
  readonly types: readonly string[]
  /** Its identifier on this page. */
  readonly id?: string
  readonly source: number
  /** Whether it is not the value of another item's property. */
  readonly isTop: boolean
  /** By property name without its vocabulary, in page order. */
  readonly properties: Readonly<Record<string, readonly DataEntry[]>>
}

/** A label and its value. */
export interface LabelledValue extends DataLeaf {
  readonly label: string
}

/** A value found in the page's text and layout, without markup. */
export interface SeenValue extends DataLeaf {
  /** The first name of its concept. */
  readonly concept: string
  readonly confidence: number
}

/** A table of the page. */
export interface DataTable {
  readonly source: number
  readonly caption: string
  readonly columns: readonly string[]
  /** Cells as strings, by row. */
  readonly rows: readonly (readonly string[])[]
}

/** The structured data of a page. */
export interface PageData {
  /** The URL of the page. */
  readonly url: string
  readonly sources: readonly DataSource[]
  readonly items: readonly DataItem[]
  /**
   * By lower-case name: `<meta>` entries such as `og:title`, and `title`, `h1`, `canonical`, `language` from elements.
   */
  readonly meta: readonly LabelledValue[]
  readonly labelled: readonly LabelledValue[]
  readonly tables: readonly DataTable[]
  /** Objects with the page's name, from the JSON that it embeds for its own scripts. */
  readonly state: readonly DataItem[]
  /** Numbers that the page shows with a currency. */
  readonly prices: readonly number[]
  /** Values without markup; at most one per concept. */
  readonly seen: readonly SeenValue[]
}

/** Where a value comes from. */
export interface Evidence {
  /** The original text, at most 300 characters. */
  readonly quote: string
  readonly method: DataMethod
  readonly selector: string
  /** JSON Pointer in the element's JSON. */
  readonly pointer?: string
  /** Index among all elements of the page in document order, from 0. */
  readonly position: number
  /** Only for values without markup: from 0 (a guess) to 1 (certain). */
  readonly confidence?: number
}

/** A value filled in from a page. */
export type FilledValue = Scalar | null | readonly FilledValue[] | { readonly [name: string]: FilledValue }

/** The result of filling a schema from a page's data, without a model. */
export interface Filled {
  /** Matches the schema as far as it is filled; `undefined` if nothing was found. */
  readonly value: FilledValue | undefined
  /** By JSON Pointer in `value`. */
  readonly evidence: Readonly<Record<string, Evidence>>
  /** JSON Pointers of properties without a value. */
  readonly missing: readonly string[]
}
