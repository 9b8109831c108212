const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  // Books use these without declaring them.
  nbsp: '\u00a0',
  shy: '\u00ad',
  ndash: '\u2013',
  mdash: '\u2014',
  lsquo: '\u2018',
  rsquo: '\u2019',
  ldquo: '\u201c',
  rdquo: '\u201d',
  laquo: '\u00ab',
  raquo: '\u00bb',
  hellip: '\u2026',
  copy: '\u00a9',
  eacute: '\u00e9',
  egrave: '\u00e8',
  agrave: '\u00e0',
  ccedil: '\u00e7',
  auml: '\u00e4',
  ouml: '\u00f6',
  uuml: '\u00fc',
  szlig: '\u00df',
}

/**
 * Decodes entities. Unknown names are left unchanged: declarations in the file are never used. Numbers outside of Unicode are
 * removed.
 */
export function unescapeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,10}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] as string) : whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

const special = /[&<>\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

/** Escapes text, and removes characters that neither XML nor HTML can contain. */
export function escapeText(text: string): string {
  if (!special.test(text)) return text
  return text
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** Escapes text for a double-quoted attribute value. */
export function escapeValue(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}
