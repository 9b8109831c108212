// The list of a page as rows: what repeats, read by the template that its blocks share.

/** What all values of a column are. */
export type ItemKind = 'text' | 'link' | 'image' | 'price' | 'date' | 'number' | 'boolean'

/** An amount of money. The currency is its ISO code where the sign has only one, else the sign. */
export interface ItemPrice {
  readonly amount: number
  readonly currency: string
}

/** The value of a row in a column. */
export type ItemValue = string | number | boolean | ItemPrice

/** A column of a list: where it stands in the template, and what it holds. */
export interface ItemColumn {
  readonly name: string
  readonly kind: ItemKind
}

/** A row of a list, by the names of its columns. A column that a row does not have is absent. */
export type ItemRow = Readonly<Record<string, ItemValue>>

/** The list of a page. */
export interface ItemList {
  readonly columns: readonly ItemColumn[]
  readonly rows: readonly ItemRow[]
  /** How many items the page says there are, on all of its pages. */
  readonly total?: number
  /** The JSON of the page that fields, and items that are not shown, are from. */
  readonly json?: JsonPlace
  /** The address of the next page of the list, when a link leads there or the head of the page names it. */
  readonly next?: string
}

/** What leads to more items than a page shows: a control of it. */
export interface ListMore {
  /** `next`: to other items in place of these; `more`: to others beside them. */
  readonly way: 'next' | 'more'
  /** Where it stands in the document. */
  readonly selector: string
  readonly words: string
  /** Where it leads, when it is a link. */
  readonly url?: string
}

/** A column, and its place in the template of the rows. */
export interface PlacedColumn extends ItemColumn {
  readonly place: string
}

/** A column that has its name from what was read before. */
export type KnownColumn = Pick<PlacedColumn, 'place' | 'name'>

/** Where a list stands in the JSON of a page, or in what a page has loaded. */
export interface JsonPlace {
  /** A CSS selector of the script. */
  readonly script?: string | undefined
  /** The address of the JSON that the page has loaded. */
  readonly url?: string | undefined
  /** A JSON Pointer within it. */
  readonly pointer: string
}

/** The place of a column that stands in the JSON alone. */
export function jsonPlace(path: string): string {
  return `json:${path}`
}

/** What the elements of rows are: their tag, and the class that they share. */
export interface RowShape {
  readonly tag: string
  readonly class?: string | undefined
}

/** A list as it was read from other pages. */
export interface KnownList {
  readonly columns?: readonly KnownColumn[] | undefined
  readonly row?: RowShape | undefined
  /** JSON that the page has loaded, in the order of its pages. */
  readonly answers?: readonly JsonAnswer[] | undefined
}

/** JSON that a page has loaded. */
export interface JsonAnswer {
  readonly url: string
  readonly text: string
}

/** A list, and what it takes to go on to the rest of it. */
export interface Listing extends ItemList {
  readonly columns: readonly PlacedColumn[]
  /** What tells each row from the others, by the number of the row. */
  readonly ids: readonly string[]
  readonly row?: RowShape
  /** The element that the rows are in. */
  readonly place?: string
  readonly more?: ListMore
}

/** The most that is read of a page. */
export const listBounds = { elements: 200_000, rows: 20_000, columns: 60, nodesOfRow: 600, lists: 200 } as const
