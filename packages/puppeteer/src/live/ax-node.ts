/** A value of an accessibility tree. */
export interface AxValue {
  readonly value?: string | number | boolean
}

/** A node of an accessibility tree. */
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

/** Limits of the reading of a page. */
export interface LargePageLimits {
  /** Nodes of the document that are read. */
  readonly nodes: number
  /** Lines that are made of them. */
  readonly lines: number
}
