package actors

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/rs/zerolog"
)

// slogBridge is the slog handler that the actor system gets. It writes to zerolog
// and never writes the value of anything but plain text and numbers: attributes of
// the actor system are live messages, whose fields other goroutines own and which
// can hold what a page said.
type slogBridge struct {
	logger zerolog.Logger
	prefix string
}

// newActorLogger returns the logger of an actor system.
func newActorLogger(logger zerolog.Logger) *slog.Logger {
	return slog.New(slogBridge{logger: logger.With().Str("component", "actors").Logger()})
}

var slogLevels = map[slog.Level]zerolog.Level{
	slog.LevelDebug: zerolog.DebugLevel,
	slog.LevelInfo:  zerolog.DebugLevel, // its notices of panics are written by supervision
	slog.LevelWarn:  zerolog.WarnLevel,
	slog.LevelError: zerolog.ErrorLevel,
}

// Enabled reports whether the level is written.
func (b slogBridge) Enabled(_ context.Context, level slog.Level) bool {
	return b.logger.GetLevel() <= slogLevel(level)
}

func slogLevel(level slog.Level) zerolog.Level {
	if l, ok := slogLevels[level]; ok {
		return l
	}
	return zerolog.DebugLevel
}

// Handle writes the record.
func (b slogBridge) Handle(_ context.Context, record slog.Record) error {
	event := b.logger.WithLevel(slogLevel(record.Level))
	record.Attrs(func(attr slog.Attr) bool {
		put(event, b.prefix, attr)
		return true
	})
	event.Msg(record.Message)
	return nil
}

// put writes one attribute: text and numbers as they are, anything else as the
// name of its type.
func put(event *zerolog.Event, prefix string, attr slog.Attr) {
	key := prefix + attr.Key
	if key == zerolog.MessageFieldName || key == zerolog.LevelFieldName {
		key = "about_" + key
	}
	switch value := attr.Value.Resolve(); value.Kind() {
	case slog.KindString:
		event.Str(key, value.String())
	case slog.KindInt64:
		event.Int64(key, value.Int64())
	case slog.KindUint64:
		event.Uint64(key, value.Uint64())
	case slog.KindBool:
		event.Bool(key, value.Bool())
	case slog.KindGroup:
		for _, inner := range value.Group() {
			put(event, key+".", inner)
		}
	default:
		event.Str(key, fmt.Sprintf("%T", value.Any()))
	}
}

// WithAttrs returns a handler that writes the attributes with every record.
func (b slogBridge) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := b.logger.With()
	for _, attr := range attrs {
		if attr.Value.Kind() == slog.KindString {
			with = with.Str(b.prefix+attr.Key, attr.Value.String())
		}
	}
	b.logger = with.Logger()
	return b
}

// WithGroup returns a handler that puts the name before the keys that follow.
func (b slogBridge) WithGroup(name string) slog.Handler {
	b.prefix += name + "."
	return b
}
