// Packages with parsers for common file types, for the error of an engine without them.
const packages: readonly (readonly [types: RegExp, remedy: string])[] = [
  [/^application\/(?:x-)?pdf$/, 'Add the plugin pdf() of @harvestman/documents/pdf to read it'],
  [
    /^application\/(?:vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:excel|word|powerpoint))|msword|(?:x-)?rtf|epub\+zip|x-cfb|zip|mbox|vnd\.ms-outlook|x-subrip|x-(?:la)?tex)|^(?:text\/(?:rtf|calendar|(?:x-)?vcard|vtt|x-tex)|message\/rfc822)$/,
    'Add the plugin documents() of @harvestman/documents to read it',
  ],
  [
    /^image\/(?:png|jpeg|webp|gif|bmp|tiff)$/,
    'Add the plugin ocr() of @harvestman/documents/ocr to recognize its text, and name image in parsers',
  ],
]

/**
 * Returns the remedy, without a period, for an engine that has no parser for this media type: the plugin to add, or a general
 * sentence if none is known.
 */
export function missingParserRemedy(type: string): string {
  return packages.find(([types]) => types.test(type))?.[1] ?? 'Add a plugin with a parser for it'
}
