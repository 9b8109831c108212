// Office files may use any prefixes for their namespaces. Here each namespace has one fixed prefix.

const w = 'http://schemas.openxmlformats.org/'
const strict = 'http://purl.oclc.org/ooxml/'
const oasis = 'urn:oasis:names:tc:opendocument:xmlns:'

/** Prefixes of namespaces; if a prefix has two namespaces, the first is used for writing. */
const prefixes: readonly (readonly [prefix: string, namespace: string])[] = [
  ['w', `${w}wordprocessingml/2006/main`],
  ['w', `${strict}wordprocessingml/main`],
  ['a', `${w}drawingml/2006/main`],
  ['a', `${strict}drawingml/main`],
  ['p', `${w}presentationml/2006/main`],
  ['p', `${strict}presentationml/main`],
  ['r', `${w}officeDocument/2006/relationships`],
  ['r', `${strict}officeDocument/relationships`],
  ['m', `${w}officeDocument/2006/math`],
  ['m', `${strict}officeDocument/math`],
  ['wp', `${w}drawingml/2006/wordprocessingDrawing`],
  ['wp', `${strict}drawingml/wordprocessingDrawing`],
  ['pic', `${w}drawingml/2006/picture`],
  ['pic', `${strict}drawingml/picture`],
  ['dgm', `${w}drawingml/2006/diagram`],
  ['c', `${w}drawingml/2006/chart`],
  ['mc', `${w}markup-compatibility/2006`],
  ['rel', `${w}package/2006/relationships`],
  ['ct', `${w}package/2006/content-types`],
  ['cp', `${w}package/2006/metadata/core-properties`],
  ['ep', `${w}officeDocument/2006/extended-properties`],
  ['ep', `${strict}officeDocument/extendedProperties`],
  ['x', `${w}spreadsheetml/2006/main`],
  ['x', `${strict}spreadsheetml/main`],
  ['w14', 'http://schemas.microsoft.com/office/word/2010/wordml'],
  ['wps', 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape'],
  ['v', 'urn:schemas-microsoft-com:vml'],
  ['o', 'urn:schemas-microsoft-com:office:office'],
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['dcterms', 'http://purl.org/dc/terms/'],
  ['opf', 'http://www.idpf.org/2007/opf'],
  ['ncx', 'http://www.daisy.org/z3986/2005/ncx/'],
  ['epub', 'http://www.idpf.org/2007/ops'],
  ['container', `${oasis}container`],
  ['office', `${oasis}office:1.0`],
  ['text', `${oasis}text:1.0`],
  ['table', `${oasis}table:1.0`],
  ['style', `${oasis}style:1.0`],
  ['draw', `${oasis}drawing:1.0`],
  ['presentation', `${oasis}presentation:1.0`],
  ['meta', `${oasis}meta:1.0`],
  ['manifest', `${oasis}manifest:1.0`],
  ['svg', `${oasis}svg-compatible:1.0`],
  ['fo', `${oasis}xsl-fo-compatible:1.0`],
  ['xlink', 'http://www.w3.org/1999/xlink'],
  ['math', 'http://www.w3.org/1998/Math/MathML'],
  ['', 'http://www.w3.org/1999/xhtml'],
]

const byNamespace: ReadonlyMap<string, string> = new Map(prefixes.map(([prefix, namespace]) => [namespace, prefix]))

/** Returns our prefix for a namespace URI, or `undefined` if it is unknown. */
export function prefixOf(namespace: string): string | undefined {
  return byNamespace.get(namespace)
}

/** Returns the namespace declarations for a root element with our prefixes. */
export function declarations(): string {
  const first = new Map(prefixes.toReversed())
  first.delete('')
  return [...first].map(([prefix, namespace]) => ` xmlns:${prefix}="${namespace}"`).join('')
}
