/** A page with all that it says for programs taken away: scripts, `<meta>`, and the attributes of vocabularies. */
export function withoutMarkup(html: string): string {
  return html
    .replaceAll(/<script\b[\s\S]*?<\/script\s*>/gi, '')
    .replaceAll(/<meta\b(?![^>]*charset)[^>]*>/gi, '')
    .replaceAll(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll(attributes, ''))
}

const attributes =
  /\s(?:itemprop|itemscope|itemtype|itemid|typeof|property|vocab|resource)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)|(?=[\s>]))/gi
