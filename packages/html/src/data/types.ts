// What a page says in a form that programs can read. Plain data, so that it can cross from the reading thread.

/** The way in which a page gives data. */
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

/** An element that something was read from. */
export interface DataSource {
  readonly method: DataMethod
  /** A CSS selector that finds the element. */
  readonly selector: string
  /** The element's place among all elements of the page in document order, from 0. */
  readonly position: number
}

/** A value without parts. */
export type Scalar = string | number | boolean

/** A value as the page wrote it, and where. */
export interface DataLeaf {
  readonly value: Scalar
  /** Which of `PageData.sources`. */
  readonly source: number
  /** JSON Pointer in the JSON that the element holds. */
  readonly pointer?: string
  /** The words as they stand, where the value was read from them. */
  readonly quote?: string
  /** How sure a value is that was only seen: from 0, a guess, to 1. */
  readonly confidence?: number
}

/** A link to another thing of the page. */
export interface DataLink {
  /** Which of `PageData.items`. */
  readonly item: number
}

/** A value of a thing, or a link to another thing. */
export type DataEntry = DataLeaf | DataLink

/** A thing that the page describes: a product, an article, a person. */
export interface DataItem {
  /** Names of types without their vocabulary: `Product`. */
  readonly types: readonly string[]
  /** Its identifier on this page, when it has one. */
  readonly id?: string
  readonly source: number
  /** Not the value of another item's property. */
  readonly isTop: boolean
  /** By the name of the property without its vocabulary, in the order of the page. */
  readonly properties: Readonly<Record<string, readonly DataEntry[]>>
}

/** A label and what stands beside it. */
export interface LabelledValue extends DataLeaf {
  readonly label: string
}

/** A value that only the words and the shape of the page show, without any mark. */
export interface SeenValue extends DataLeaf {
  /** The first name of the concept that it is a value of. */
  readonly concept: string
  readonly confidence: number
}

/** A table of the page. */
export interface DataTable {
  readonly source: number
  readonly caption: string
  readonly columns: readonly string[]
  /** The words of each cell. */
  readonly rows: readonly (readonly string[])[]
}

/** The data that a page gives of itself. */
export interface PageData {
  /** The page's address. */
  readonly url: string
  readonly sources: readonly DataSource[]
  readonly items: readonly DataItem[]
  /** `<meta>` and the like by lower-case name: `og:title`, and `title`, `h1`, `canonical`, `language` of elements. */
  readonly meta: readonly LabelledValue[]
  readonly labelled: readonly LabelledValue[]
  readonly tables: readonly DataTable[]
  /** Objects with the name of the page, of the JSON that it holds for its own scripts. */
  readonly state: readonly DataItem[]
  /** Numbers that the page shows beside a sign for money. */
  readonly prices: readonly number[]
  /** What stands on the page without marks; at most one value of a concept. */
  readonly seen: readonly SeenValue[]
}

/** Why a value is believed. */
export interface Evidence {
  /** The words as the page has them, at most 300 characters. */
  readonly quote: string
  readonly method: DataMethod
  readonly selector: string
  /** JSON Pointer in the JSON that the element holds. */
  readonly pointer?: string
  /** The element's place among all elements of the page in document order, from 0. */
  readonly position: number
  /** How sure a value is that was only seen, from 0 to 1. */
  readonly confidence?: number
}

/** A value that a page filled. */
export type FilledValue = Scalar | null | readonly FilledValue[] | { readonly [name: string]: FilledValue }

/** What a page filled of a schema without a model. */
export interface Filled {
  /** Fits the schema as far as it is filled; absent when nothing was found. */
  readonly value: FilledValue | undefined
  /** By JSON Pointer into `value`. */
  readonly evidence: Readonly<Record<string, Evidence>>
  /** JSON Pointers of the properties that stayed empty. */
  readonly missing: readonly string[]
}
