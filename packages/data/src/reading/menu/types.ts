// Types of a restaurant menu, as in the public API.

/** The price of a dish. */
export interface MenuPrice {
  readonly amount: number
  readonly currency?: string
  readonly formatted?: string
}

/** A dish or drink. */
export interface MenuItem {
  readonly name: string
  readonly description?: string
  readonly image?: string
  readonly price?: MenuPrice
  readonly dietary: readonly string[]
  readonly calories?: number
  readonly url?: string
}

/** A section of a menu. */
export interface MenuSection {
  readonly name: string
  readonly description?: string
  readonly items: readonly MenuItem[]
}

/** A menu, with the confidence (0 to 1) that the page has one. */
export interface Menu {
  readonly confidence: number
  readonly merchant?: { readonly name: string; readonly type?: string }
  readonly sections: readonly MenuSection[]
}

/** Limits for reading a menu. */
export const menuBounds = { sections: 200, items: 2_000 } as const
