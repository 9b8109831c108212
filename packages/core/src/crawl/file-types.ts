/** Extensions of files that a crawl does not visit. PDF, office files, JSON, XML, CSV and plain text are visited. */
const skipped: ReadonlySet<string> = new Set(
  [
    'png jpg jpeg jpe gif svg ico webp avif bmp tif tiff heic heif psd ai eps raw',
    'css js mjs cjs map wasm woff woff2 ttf otf eot',
    'mp4 m4v mov avi flv wmv mkv webm mpg mpeg ogv 3gp mp3 wav ogg oga flac aac m4a wma mid midi m3u m3u8',
    'zip gz tgz tar bz2 xz zst 7z rar jar war iso dmg exe msi msix apk ipa deb rpm bin img pkg torrent',
    'swf sqlite db dll so class inc',
  ].flatMap((line) => line.split(' ')),
)

/** Of these, the files that a crawl visits if its option `parsers` names the parser. */
const visitedFor: Readonly<Record<string, ReadonlySet<string>>> = {
  image: new Set('png jpg jpeg jpe gif svg webp bmp tif tiff'.split(' ')),
}

/** Returns whether the extension of a path is one of a file that a crawl with these parsers does not visit. */
export function isSkippedFile(pathname: string, parsers: readonly { readonly type: string }[]): boolean {
  const name = pathname.slice(pathname.lastIndexOf('/') + 1)
  const at = name.lastIndexOf('.')
  const extension = name.slice(at + 1).toLowerCase()
  return at >= 0 && skipped.has(extension) && !parsers.some(({ type }) => visitedFor[type]?.has(extension))
}
