// Frames of the same origin are looked into, as open shadow roots are.

const mostFrames = 50

/** What of `eyes` is about frames. */
export const frameSource = /* js */ `
const frameNames = /^i?frame$/
// The document of a frame of the same origin. Others are not looked into.
const documentIn = (frame) => {
  const inner = frame.contentDocument
  return inner && (inner.location?.origin === location.origin || /^about:/.test(inner.URL)) ? inner : undefined
}
// The frame that an element is in; nothing in the document of the page.
const frameOf = (element) => (element.ownerDocument === document ? undefined : element.ownerDocument.defaultView?.frameElement ?? undefined)
const isBeside = (one, other) => one.ownerDocument === other.ownerDocument
const numbers = new WeakMap()
let lastNumber = 0
const numberOf = (one) => {
  if (!numbers.has(one)) numbers.set(one, (lastNumber += 1))
  return numbers.get(one)
}
// The ways to find its frame again.
const frameWaysOf = (element) => {
  const frame = frameOf(element)
  if (!frame) return {}
  const { pathname, protocol } = new URL(frame.contentDocument.URL)
  const ways = { id: frame.id, name: frame.name, title: frame.title, address: protocol === 'about:' ? '' : pathname, path: pathOf(frame) }
  return Object.fromEntries(Object.entries(ways).map(([way, said]) => [way, clean(said)]).filter(([, said]) => said !== ''))
}
// That of the page, and those of its frames that are looked into.
const documents = () => {
  const all = [document]
  for (let at = 0; at < all.length && all.length < ${mostFrames}; at += 1)
    for (const frame of all[at].querySelectorAll('iframe, frame')) {
      const inner = documentIn(frame)
      if (inner && all.length < ${mostFrames}) all.push(inner)
    }
  return all
}
const topmost = (root, x, y) => {
  let hit = root.elementFromPoint(x, y)
  while (hit?.shadowRoot?.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) hit = hit.shadowRoot.elementFromPoint(x, y)
  return hit
}
// The same place in the page, where nothing covers the frame there; nothing elsewhere.
const inPage = (element, x, y) => {
  const frame = frameOf(element)
  if (!frame) return { x, y }
  const { left, top } = frame.getBoundingClientRect()
  const { paddingLeft, paddingTop } = getComputedStyle(frame)
  const [across, down] = [left + frame.clientLeft + parseFloat(paddingLeft) + x, top + frame.clientTop + parseFloat(paddingTop) + y]
  return topmost(frame.ownerDocument, across, down) === frame ? inPage(frame, across, down) : undefined
}`
