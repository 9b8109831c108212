// Selectors as data. The grammar is that of Selectors Level 4, with the few extensions that scrapers know from jQuery.

/** Alternatives, of which one must match. */
export type SelectorList = readonly Complex[]

/** Compounds from left to right: `a > b c`. */
export type Complex = readonly Compound[]

export type Combinator = ' ' | '>' | '+' | '~'

export interface Compound {
  /** How it stands to the compound on its left; only in `:has()` does the first one's count. */
  readonly combinator: Combinator
  readonly simples: readonly Simple[]
}

export type Simple =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'id'; readonly value: string }
  | { readonly kind: 'class'; readonly value: string }
  | AttributeTest
  | { readonly kind: 'list'; readonly name: 'is' | 'not' | 'has'; readonly list: SelectorList }
  | NthTest
  | { readonly kind: 'pseudo'; readonly name: string; readonly argument: string }

export interface AttributeTest {
  readonly kind: 'attribute'
  readonly name: string
  readonly operator: '' | '=' | '~=' | '|=' | '^=' | '$=' | '*=' | '!='
  readonly value: string
  readonly ignoreCase: boolean
}

export interface NthTest {
  readonly kind: 'nth'
  readonly formula: string
  readonly ofType: boolean
  readonly fromEnd: boolean
  /** `:nth-child(2 of .x)` counts these only. */
  readonly of: SelectorList | undefined
}
