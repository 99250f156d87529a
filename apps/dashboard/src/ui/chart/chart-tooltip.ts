interface Tooltip {
  title: string
  /** Absent where the entries have no sum. */
  total: string | undefined
  entries: { name: string; value: string; color: string }[]
  more: string | undefined
  /** Texts of the lines. */
  asides: { name: string; value: string }[]
}

/** The box beside the pointer, as nodes of the document: whatever a name contains stays text. */
export function chartTooltip({ title, total, entries, more, asides }: Tooltip): HTMLElement {
  const box = element('div', 'chart-tooltip')
  const head = box.appendChild(element('div', 'chart-tooltip-head'))
  head.append(element('span', 'chart-tooltip-name', title))
  if (total !== undefined) head.append(element('strong', 'chart-tooltip-value', total))
  for (const { name, value, color } of entries) {
    const row = box.appendChild(element('div', 'chart-tooltip-row'))
    const swatch = element('span', 'chart-tooltip-swatch')
    swatch.style.background = color
    row.append(swatch, element('span', 'chart-tooltip-name', name), element('span', 'chart-tooltip-value', value))
  }
  if (more !== undefined) box.append(element('div', 'chart-tooltip-more', more))
  for (const { name, value } of asides) {
    const row = box.appendChild(element('div', 'chart-tooltip-row chart-tooltip-aside'))
    row.append(element('span', 'chart-tooltip-name', name), element('span', 'chart-tooltip-value', value))
  }
  return box
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}
