/** The fonts that pages of a live browser start with: the defaults of desktop Chromium on Linux. */
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
