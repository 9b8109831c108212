/** Downloads a file in the browser. `name` is the suggested file name. */
export function saveFile(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Some browsers read the URL asynchronously.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
