// The syntax tree of selectors. Supports Selectors Level 4 and a few jQuery extensions.

/** Alternatives, one of which must match. */
export type SelectorList = readonly Complex[]

/** Compounds from left to right: `a > b c`. */
export type Complex = readonly Compound[]

export type Combinator = ' ' | '>' | '+' | '~'

export interface Compound {
  /** Relation to the compound on its left. That of the first one is only used in `:has()`. */
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
  /** Only elements that match this are counted, as in `:nth-child(2 of .x)`. */
  readonly of: SelectorList | undefined
}
