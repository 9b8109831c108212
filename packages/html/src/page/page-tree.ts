/** A node of a page tree. */
export type TreeNode = TreeElement | TreeText

/** An element of a page tree. Do not change it: everything that reads the page shares one tree. */
export interface TreeElement {
  readonly type: 'element'
  /** Tag name in lower case. The root is named `#document`. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly parent: TreeElement | null
  readonly previous: TreeNode | null
  readonly next: TreeNode | null
  readonly first: TreeNode | null
  readonly last: TreeNode | null
}

/** A text node of a page tree. Entities are decoded, and adjacent text nodes are merged. */
export interface TreeText {
  readonly type: 'text'
  readonly text: string
  readonly parent: TreeElement | null
  readonly previous: TreeNode | null
  readonly next: TreeNode | null
}

/** A parsed page, as passed to a reading module. The HTML is parsed on the first access to `root`. */
export interface PageTree {
  /** URL of the page, after redirects. */
  readonly url: string
  /** HTML source of the page. */
  readonly html: string
  /** Root of the tree: the whole page, with the content of same-site frames and shadow roots. */
  readonly root: TreeElement
  /** Returns the elements below `within` (the whole page by default) that match a CSS selector, in document order. */
  select(selector: string, within?: TreeElement): readonly TreeElement[]
  /** Returns all text below a node on one line. Runs of white space become one space. */
  textOf(node: TreeNode): string
  /** Returns the absolute URL of a link of this page, or `undefined` if it is not valid. */
  resolve(href: string): string | undefined
  /** Adds a sentence to the document's warning. */
  warn(sentence: string): void
}
