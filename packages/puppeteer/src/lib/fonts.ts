/** Fonts that pages of a live browser have from the start: the defaults of a desktop Chromium on Linux. */
export const desktopFonts = {
  fontFamilies: {
    standard: 'Times New Roman',
    fixed: 'Monospace',
    serif: 'Times New Roman',
    sansSerif: 'Arial',
    cursive: 'Comic Sans MS',
    fantasy: 'Impact',
  },
} as const
