// The list of a page as rows. Rows are repeated elements that share a template.

/** The type of all values of a column. */
export type ItemKind = 'text' | 'link' | 'image' | 'price' | 'date' | 'number' | 'boolean'

/** A price. The currency is an ISO code, or the symbol if that is ambiguous. */
export interface ItemPrice {
  readonly amount: number
  readonly currency: string
}

/** The value of a row in a column. */
export type ItemValue = string | number | boolean | ItemPrice

/** A column of a list. */
export interface ItemColumn {
  readonly name: string
  readonly kind: ItemKind
}

/** A row by column names. Columns without a value are absent. */
export type ItemRow = Readonly<Record<string, ItemValue>>

/** The list of a page. */
export interface ItemList {
  readonly columns: readonly ItemColumn[]
  readonly rows: readonly ItemRow[]
  /** Total number of items on all pages, as stated by the page. */
  readonly total?: number
  /** The JSON source of additional fields and invisible items. */
  readonly json?: JsonPlace
  /** URL of the next page, from a link or the head of the page. */
  readonly next?: string
}

/** A control that leads to more items. */
export interface ListMore {
  /** `next` replaces the items; `more` appends to them. */
  readonly way: 'next' | 'more'
  /** CSS selector of the control. */
  readonly selector: string
  readonly words: string
  /** Its target, if it is a link. */
  readonly url?: string
}

/** A column with its position in the row template. */
export interface PlacedColumn extends ItemColumn {
  readonly place: string
}

/** A column that was named on an earlier page. */
export type KnownColumn = Pick<PlacedColumn, 'place' | 'name'>

/** Where a list is in embedded JSON or in a JSON response. */
export interface JsonPlace {
  /** CSS selector of the script. */
  readonly script?: string | undefined
  /** URL of the JSON response. */
  readonly url?: string | undefined
  /** JSON Pointer to the list. */
  readonly pointer: string
}

/** Returns the position string of a column that exists only in JSON. */
export function jsonPlace(path: string): string {
  return `json:${path}`
}

/** The tag name of the rows, and the class that they share. */
export interface RowShape {
  readonly tag: string
  readonly class?: string | undefined
}

/** Data of a list that is known from other pages. */
export interface KnownList {
  readonly columns?: readonly KnownColumn[] | undefined
  readonly row?: RowShape | undefined
  /** JSON responses that the page loaded, in page order. */
  readonly answers?: readonly JsonAnswer[] | undefined
}

/** A JSON response. */
export interface JsonAnswer {
  readonly url: string
  readonly text: string
}

/** A list, with the data needed to continue it. */
export interface Listing extends ItemList {
  readonly columns: readonly PlacedColumn[]
  /** The identity of each row, by row index. */
  readonly ids: readonly string[]
  readonly row?: RowShape
  /** CSS selector of the element that contains the rows. */
  readonly place?: string
  readonly more?: ListMore
}

/** Limits for reading a page. */
export const listBounds = { elements: 200_000, rows: 20_000, columns: 60, nodesOfRow: 600, lists: 200 } as const
