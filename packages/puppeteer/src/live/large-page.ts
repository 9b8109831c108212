// Reads a page that is too large for the accessibility tree of the browser: the work ends at a number of nodes.
import type { TabPage } from './tabs.ts'
import type { AxNode } from './ax-node.ts'

export interface LargePageLimits {
  /** Nodes of the document that are read. */
  readonly nodes: number
  /** Lines that are made of them. */
  readonly lines: number
}

const objectGroup = 'harvestman-snapshot'

/** Returns the first nodes of the main frame in the shape of the accessibility tree, and whether there are more. */
export async function readLargePage(
  page: TabPage,
  frameId: string,
  limits: LargePageLimits,
): Promise<{ readonly nodes: readonly AxNode[]; readonly isCut: boolean }> {
  const made = await page.send('Page.createIsolatedWorld', { frameId, worldName: 'harvestman' })
  const contextId = made['executionContextId']
  const expression = `(${walk})(${JSON.stringify(limits)})`
  const { result } = await page.send('Runtime.evaluate', { expression, contextId, objectGroup })
  const { objectId } = result as { objectId: string }
  const call = (functionDeclaration: string, returnByValue: boolean) =>
    page.send('Runtime.callFunctionOn', { objectId, functionDeclaration, returnByValue, objectGroup })
  try {
    const read = await call('function () { return { nodes: this.nodes, isCut: this.isCut } }', true)
    const { nodes, isCut } = (read['result'] as { value: { nodes: readonly AxNode[]; isCut: boolean } }).value
    const list = await call('function () { return this.elements }', false)
    const ids = await backendIdsOf(page, (list['result'] as { objectId: string }).objectId)
    const refer = (node: AxNode): AxNode =>
      node.backendDOMNodeId === undefined ? node : { ...node, backendDOMNodeId: ids[node.backendDOMNodeId] }
    return { nodes: nodes.map(refer), isCut }
  } finally {
    page.send('Runtime.releaseObjectGroup', { objectGroup }).catch(() => undefined)
  }
}

async function backendIdsOf(page: TabPage, objectId: string): Promise<readonly (number | undefined)[]> {
  const { result } = await page.send('Runtime.getProperties', { objectId, ownProperties: true })
  const all = result as readonly { readonly name: string; readonly value?: { readonly objectId?: string } }[]
  const elements = all.filter(({ name, value }) => /^\d+$/.test(name) && value?.objectId !== undefined)
  return Promise.all(
    elements.map(async ({ value }) => {
      const { node } = await page.send('DOM.describeNode', { objectId: value?.objectId })
      return (node as { backendNodeId: number }).backendNodeId
    }),
  )
}

/** Runs in a world of its own in the page. */
const walk = /* js */ `(most) => {
  const inputRoles = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox' }
  const tagRoles = { button: 'button', textarea: 'textbox', summary: 'button', ul: 'list', ol: 'list', li: 'listitem', table: 'table', tr: 'row', td: 'cell', th: 'columnheader', form: 'form', dialog: 'dialog', nav: 'navigation', main: 'main', article: 'article' }
  const actable = new Set('button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton menuitem menuitemcheckbox menuitemradio option tab treeitem'.split(' '))
  const skipped = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'IFRAME', 'SVG', 'svg'])
  const clean = (text) => String(text ?? '').slice(0, 2000).replace(/\\s+/g, ' ').trim().slice(0, 300)
  const roleOf = (element) => {
    const given = element.getAttribute('role')
    if (given) return given.split(' ')[0]
    const tag = element.localName
    if (tag === 'a') return element.hasAttribute('href') ? 'link' : 'generic'
    if (tag === 'input') return inputRoles[element.type] ?? 'textbox'
    if (tag === 'select') return element.multiple || element.size > 1 ? 'listbox' : 'combobox'
    if (/^h[1-6]$/.test(tag)) return 'heading'
    if (tag === 'img') return 'image'
    return tagRoles[tag] ?? 'generic'
  }
  const textOf = (element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    let text = ''
    for (let count = 0; count < 50 && text.length < 600 && texts.nextNode(); count += 1) text += ' ' + texts.currentNode.data.slice(0, 600)
    return clean(text)
  }
  const nameOf = (element, role) => {
    const given = clean(element.getAttribute('aria-label'))
    if (given) return given
    const label = element.labels?.[0]
    const own = clean(element.getAttribute('alt') || element.getAttribute('placeholder') || element.getAttribute('title'))
    if (label) return textOf(label) || own
    if (element.localName === 'input' && role === 'button') return clean(element.value) || own
    return role === 'heading' || role === 'link' || (actable.has(role) && element.localName !== 'input' && element.localName !== 'textarea' && element.localName !== 'select') ? textOf(element) || own : own
  }
  const valueOf = (element) => {
    const tag = element.localName
    if (tag === 'select') return clean(element.selectedOptions[0]?.label)
    if (tag === 'textarea') return clean(element.value)
    if (tag !== 'input' || element.type in { checkbox: 0, radio: 0, submit: 0, button: 0, reset: 0, image: 0, file: 0 }) return ''
    return element.type === 'password' ? '•'.repeat(Math.min(String(element.value).length, 100)) : clean(element.value)
  }
  const statesOf = (element, role) => {
    const states = []
    const add = (name, value) => states.push({ name, value: { value } })
    if (role === 'heading') add('level', Number(element.localName[1]) || Number(element.getAttribute('aria-level')) || 2)
    if (element.checked === true || element.getAttribute('aria-checked') === 'true') add('checked', true)
    if (element.disabled === true || element.getAttribute('aria-disabled') === 'true') add('disabled', true)
    if (element.required === true) add('required', true)
    for (const name of ['expanded', 'pressed', 'selected']) if (element.getAttribute('aria-' + name) === 'true') add(name, true)
    return states
  }
  const elements = []
  const nodes = []
  const addNode = (parent, node) => {
    const made = { nodeId: String(nodes.length), ignored: false, childIds: [], ...node, ...(parent && { parentId: parent.nodeId }) }
    parent?.childIds.push(made.nodeId)
    nodes.push(made)
    return made
  }
  /** The node that the children belong to; undefined when they are not read. */
  const enter = (node, parent) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = clean(node.data)
      if (text) addNode(parent, { role: { value: 'StaticText' }, name: { value: text } })
      return undefined
    }
    if (node.nodeType !== Node.ELEMENT_NODE || skipped.has(node.nodeName) || !node.checkVisibility({ visibilityProperty: true })) return undefined
    const role = roleOf(node)
    if (role === 'generic' || role === 'none' || role === 'presentation') return parent
    const made = addNode(parent, { role: { value: role }, name: { value: nameOf(node, role) }, value: { value: valueOf(node) }, properties: statesOf(node, role) })
    if (actable.has(role)) made.backendDOMNodeId = elements.push(node) - 1
    return node.localName === 'select' ? undefined : made
  }
  const root = addNode(undefined, { role: { value: 'RootWebArea' }, name: { value: clean(document.title) } })
  let [node, parent, count, isCut] = [document.body ?? document.documentElement, root, 0, false]
  const open = []
  while (node) {
    if (++count > most.nodes || nodes.length > most.lines) { isCut = true; break }
    const inner = enter(node, parent)
    const first = inner && (node.shadowRoot?.firstChild ?? node.firstChild)
    if (first) {
      open.push([node, parent])
      ;[node, parent] = [first, inner]
      continue
    }
    while (open.length > 0 && !node.nextSibling) [node, parent] = open.pop()
    node = open.length > 0 ? node.nextSibling : undefined
  }
  return { nodes, elements, isCut }
}`
