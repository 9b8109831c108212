const start = /^(?:fig(?:ure|\.)?|table(?:au)?|abb(?:ildung|\.)|tab(?:elle|\.)|рис(?:унок|\.)|図|表|图)\s*\d/iu
const maxLength = 600

/** Returns whether a text is the caption of a figure or a table. */
export function isCaption(text: string): boolean {
  return text.length < maxLength && start.test(text.trimStart())
}
