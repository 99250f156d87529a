import type { NoticeLanguage } from '@causeway/contract'

/** Marks by which a name could turn round what follows it, or close the isolation of another. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/

/** Values keep their own direction, and turn nothing around them. */
export function isolated(value: string, language: NoticeLanguage): string {
  const plain = value.replaceAll(DIRECTION_MARKS, '')
  return language === 'fa' || RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain
}
