/** A node of the structure tree of a tagged PDF. */
export interface StructureNode {
  readonly role?: string
  readonly type?: string
  readonly id?: string
  readonly children?: readonly StructureNode[]
}

const telling = /^(?:H[1-6]?|Title|Code|Artifact|LI|Caption)$/
const deepest = 60

/**
 * Returns the innermost role of each marked part of a page, by its id, of these: headings, titles, code, artifacts, list items
 * and captions. Empty for a file without structure.
 */
export function rolesOf(tree: StructureNode | undefined): Map<string, string> {
  const roles = new Map<string, string>()
  const visit = (node: StructureNode, inherited: string | undefined, depth: number): void => {
    const role = node.role && telling.test(node.role) ? node.role : inherited
    if (node.type === 'content' && node.id && role) roles.set(node.id, role)
    if (depth < deepest) for (const child of node.children ?? []) visit(child, role, depth + 1)
  }
  if (tree) visit(tree, undefined, 0)
  return roles
}
