// Links that nobody can see.
import type { Element, Node } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'

const pictures = new Set(['img', 'svg', 'picture', 'video', 'canvas', 'object', 'iframe', 'input', 'button'])
/** Maximum number of elements between a link and its text. */
const maxDepth = 8

/** Adds to `hidden` the links whose text is all in `hidden`, and that show nothing else. */
export function addEmptyLinks(hidden: Set<Node>): void {
  const links = new Set<Element>()
  for (const node of hidden) {
    const link = node.type === 'text' ? linkAround(node) : undefined
    if (link) links.add(link)
  }
  for (const link of links) if (!showsSomething(link, hidden)) hidden.add(link)
}

function linkAround(node: Node): Element | undefined {
  let at = node.parent
  for (let depth = 0; at && depth < maxDepth; depth++) {
    if (at.name === 'a') return at
    at = at.parent
  }
  return undefined
}

function showsSomething(link: Element, hidden: ReadonlySet<Node>): boolean {
  for (let at = nextNode(link, link); at;) {
    const isHidden = hidden.has(at)
    if (!isHidden && (at.type === 'element' ? pictures.has(at.name) : /\S/.test(at.text))) return true
    at = nextNode(at, link, isHidden)
  }
  return false
}

const menus = new Set(['nav', 'header', 'footer', 'menu'])
const menuRoles = /^(?:navigation|menu|menubar|banner|contentinfo|tablist)$/
const menuNames = /menu|dropdown|drawer|(?:^|[\s_-])(?:nav|navbar|navigation|sidebar|pagination|pager)(?:$|[\s_-])/i

/**
 * Returns whether a link is one that a visitor cannot see and a crawl should not follow, as it may be a trap for crawlers.
 * Links to the next or previous page, and links in menus, headers and footers, are followed: scripts or other screens may show
 * them.
 */
export function isUnseen(link: Element, hidden: ReadonlySet<Node>): boolean {
  let isHidden = false
  for (let at: Element | null = link; at && !isHidden; at = at.parent) isHidden = hidden.has(at)
  return isHidden && !/\b(?:next|prev)\b/i.test(link.attributes['rel'] ?? '') && !isInMenu(link)
}

const maxName = 200

const hasMenuName = (name: string): boolean => menuNames.test(name.slice(0, maxName))

function isInMenu(link: Element): boolean {
  for (let at: Element | null = link; at; at = at.parent) {
    const { role = '', class: classes = '', id = '' } = at.attributes
    if (menus.has(at.name) || menuRoles.test(role) || hasMenuName(classes) || hasMenuName(id)) return true
  }
  return false
}
