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

/** Text of a page tree, with entities decoded. Adjacent texts are merged. */
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
  /** Source of the page as text. */
  readonly html: string
  /** Root of the tree: the whole page, with the content of same-site frames and shadow roots. */
  readonly root: TreeElement
  /** Returns the elements below `within` (the whole page by default) that match a CSS selector, in document order. */
  select(selector: string, within?: TreeElement): readonly TreeElement[]
  /** Returns the text below a node on one line. Runs of white space become one space. */
  textOf(node: TreeNode): string
  /** Returns the absolute URL of a link of this page, or `undefined` if it has none. */
  resolve(href: string): string | undefined
  /** Adds a sentence to the warning of the document. */
  warn(sentence: string): void
}
