import encodeQR from 'qr';

/** Light modules around the code, which readers need to find it. */
const BORDER = 2;

/** A text as a QR code, dark on light in both themes: many readers refuse the reverse. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: BORDER });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-md border border-line bg-white"
    >
      <path d={path} fill="black" />
    </svg>
  );
}
