const start =
  /^(?:fig(?:ure|\.)?|table(?:au)?|abb(?:ildung|\.)|tab(?:elle|\.)|рис(?:унок|\.)|図|表|图)\s*\d+(?:[.-]\d+)*/iu
const maxLength = 600

/** Returns the name at the start of a caption, such as `Table 2`. */
export function captionName(text: string): string | undefined {
  return start.exec(text.trimStart())?.[0]
}

/** Returns whether a text is the caption of a figure or a table. */
export function isCaption(text: string): boolean {
  return text.length < maxLength && start.test(text.trimStart())
}
