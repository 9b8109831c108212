// Finds tags in XML that is too long for a tree.

/**
 * Source of the attributes of a tag. Their values may contain `>`. They cannot contain `<`, so a search ends at the next tag.
 * Millions of values would overflow the stack of the regular expression, so a tag with more than 1,000 is skipped.
 */
const attributes = /[^<>"']*(?:"[^<"]*"[^<>"']*|'[^<']*'[^<>"']*){0,1000}/.source

/** Returns the source of the attributes of each tag with this name, which is a regular expression. Tags without attributes are skipped. */
export function attributesOfTags(xml: string, name: string): string[] {
  return Array.from(xml.matchAll(new RegExp(`<${name}\\s(${attributes})>`, 'g')), ([, found = '']) => found)
}
