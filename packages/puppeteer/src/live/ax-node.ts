/** A value in an accessibility tree. */
export interface AxValue {
  readonly value?: string | number | boolean
}

/** A node in an accessibility tree. */
export interface AxNode {
  readonly nodeId: string
  readonly ignored: boolean
  readonly role?: AxValue
  readonly name?: AxValue
  readonly value?: AxValue
  readonly properties?: readonly { readonly name: string; readonly value: AxValue }[]
  readonly childIds?: readonly string[]
  readonly parentId?: string
  readonly backendDOMNodeId?: number | undefined
}

/** Limits for reading a page. */
export interface LargePageLimits {
  /** Maximum number of document nodes. */
  readonly nodes: number
  /** Maximum number of resulting lines. */
  readonly lines: number
}
