// The menu of a restaurant, as the public API has it.

/** What a dish costs. */
export interface MenuPrice {
  readonly amount: number
  readonly currency?: string
  readonly formatted?: string
}

/** A dish or a drink. */
export interface MenuItem {
  readonly name: string
  readonly description?: string
  readonly image?: string
  readonly price?: MenuPrice
  readonly dietary: readonly string[]
  readonly calories?: number
  readonly url?: string
}

/** A part of a menu. */
export interface MenuSection {
  readonly name: string
  readonly description?: string
  readonly items: readonly MenuItem[]
}

/** A menu, and how sure it is that the page has one. */
export interface Menu {
  readonly confidence: number
  readonly merchant?: { readonly name: string; readonly type?: string }
  readonly sections: readonly MenuSection[]
}

/** The most that is read of a menu. */
export const menuBounds = { sections: 200, items: 2_000 } as const
